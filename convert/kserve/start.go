package kserve

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/inferstack/inferstack/convert/pods"
)

// moreArgs is the variable from which the presets' script takes arguments of vLLM.
const moreArgs = "VLLM_ADDITIONAL_ARGS"

// startedByPreset reports whether no command takes the place of the presets' script.
func (s *service) startedByPreset(w *WorkloadSpec) bool {
	return w.Template == nil || !slices.ContainsFunc(w.Template.Containers, func(c corev1.Container) bool {
		return c.Name == mainName && len(c.Command) > 0
	})
}

// start tells how the servers of a set are started, and takes their command line apart.
func (s *service) start(w *set, r *pods.Role) {
	c := main(&r.Pod)
	if len(c.Command) == 0 {
		s.startPreset(r, c)
		return
	}
	r.Launch = ""
	switch path.Base(c.Command[0]) {
	case "llm-d-inference-sim":
		r.Launch, c.Args, c.Command = pods.LaunchImage, filled(slices.Concat(c.Command[1:], c.Args)), nil
		return
	case "vllm":
		c.Args = filled(c.Args)
	}
	text, rest, ok := shellScript(slices.Concat(c.Command, c.Args))
	if !ok {
		if words := slices.Concat(c.Command, c.Args); len(words) < 2 || path.Base(words[0]) != "vllm" {
			r.Launch = pods.LaunchCustom
		}
		return
	}
	words, plain := script{text: text, variables: literals(c.Env), arguments: rest}.words()
	words = withoutExec(words)
	if plain && len(words) > 2 && path.Base(words[0]) == "vllm" && words[1] == "serve" {
		c.Command, c.Args = []string{"vllm", "serve"}, words[2:]
		r.Launch = pods.LaunchServe
		s.dropEnv(c, moreArgs)
		s.On("spec."+w.name, r.Fields["command"]).Note("vLLM is started with the arguments of the script, and no shell in between")
		return
	}
	r.Launch = pods.LaunchCustom
}

// startPreset is vLLM as the presets' script starts it: with the words of a variable, and
// then the container's arguments, both of which a shell takes apart.
func (s *service) startPreset(r *pods.Role, c *corev1.Container) {
	r.Launch = pods.LaunchServe
	variables := literals(c.Env)
	var args []string
	if text := variables[moreArgs]; text != "" {
		args = s.shellWords(r, text, variables)
	}
	for _, arg := range filled(c.Args) {
		if literal(arg) {
			args = append(args, arg)
			continue
		}
		args = append(args, s.shellWords(r, arg, variables)...)
	}
	c.Command, c.Args = []string{"vllm", "serve"}, args
	if i := slices.IndexFunc(c.Env, func(e corev1.EnvVar) bool { return e.Name == moreArgs && e.ValueFrom != nil }); i >= 0 {
		s.Lost(r.From, "%s from a Secret, a ConfigMap or a field: arguments of a stack are written as such; name them in args", moreArgs)
	}
	s.dropEnv(c, moreArgs)
	s.scriptEnv(r, c)
}

// scriptEnv are variables that only the presets' script reads.
func (s *service) scriptEnv(r *pods.Role, c *corev1.Container) {
	to, from := "spec."+r.Name, r.From
	if field, ok := r.Fields["env"]; ok {
		from = field
	}
	for _, e := range slices.Clone(c.Env) {
		switch e.Name {
		case "KSERVE_INFER_ROCE":
			s.dropEnv(c, e.Name)
			if e.Value == "true" {
				s.On(to, from).Dropped().Warn("%s is left out: no script of a stack looks for RoCE devices; where NCCL, NVSHMEM and UCX do not find the right ones, name them in NCCL_IB_HCA, NVSHMEM_HCA_LIST and UCX_NET_DEVICES, and the index of their addresses in NCCL_IB_GID_INDEX, NVSHMEM_IB_GID_INDEX and UCX_IB_GID_INDEX", e.Name)
			}
		case "KSERVE_INFER_IB_GID_INDEX_GREP", "DP_ADDRESS_RESOLVE_ATTEMPTS", "VLLM_API_SERVER_COUNT":
			s.dropEnv(c, e.Name)
			s.On(to, from).Dropped().Note("%s is left out: only the script of KServe's presets reads it", e.Name)
		}
	}
}

func (s *service) dropEnv(c *corev1.Container, name string) {
	c.Env = slices.DeleteFunc(slices.Clone(c.Env), func(e corev1.EnvVar) bool { return e.Name == name })
}

// shellWords takes a text apart as the presets' script does, or keeps it whole.
func (s *service) shellWords(r *pods.Role, text string, variables map[string]string) []string {
	words, ok := script{text: strings.ReplaceAll(text, "\n", " "), variables: variables}.words()
	if ok {
		return words
	}
	s.On("spec."+r.Name, r.From).Warn("%q is for a shell, and no shell starts vLLM in a stack: it is split at its spaces; write what it stands for", text)
	return strings.Fields(text)
}

// literal reports whether an argument is JSON, or a flag with some, whose quotes are its own.
func literal(arg string) bool {
	_, value, flag := strings.Cut(arg, "=")
	return slices.ContainsFunc([]string{arg, value}, func(text string) bool {
		return (flag || text == arg) && strings.HasPrefix(text, "{") && json.Valid([]byte(text))
	})
}

// literals are the variables of a container that have a value here.
func literals(env []corev1.EnvVar) map[string]string {
	out := map[string]string{}
	for _, e := range env {
		if e.ValueFrom == nil {
			out[e.Name] = strings.TrimSpace(e.Value)
		}
	}
	return out
}

// shellScript is the text that a shell is given, with its further arguments.
func shellScript(words []string) (text string, rest []string, ok bool) {
	if len(words) < 3 || !slices.Contains([]string{"sh", "bash"}, path.Base(words[0])) {
		return "", nil, false
	}
	for i, word := range words[1:] {
		if !strings.HasPrefix(word, "-") {
			return "", nil, false
		}
		if strings.HasSuffix(word, "c") && i+2 < len(words) {
			rest = words[i+3:]
			if len(rest) > 0 {
				rest = rest[1:] // $0
			}
			return words[i+2], rest, true
		}
	}
	return "", nil, false
}

func withoutExec(words []string) []string {
	if len(words) > 0 && words[0] == "exec" {
		return words[1:]
	}
	return words
}
