package rules

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"github.com/inferstack/inferstack/finding"
	"github.com/inferstack/inferstack/internal/argv"
	"github.com/inferstack/inferstack/release"
	"github.com/inferstack/inferstack/schema"
)

// serverFlags looks at the arguments that the user gives a model server which is started
// with generated ones: those with which it does not serve, or does not start at all.
func serverFlags(s stack) []schema.Problem {
	if s.Spec.Server.Launch == "custom" {
		return nil
	}
	out := s.flagFlaws("spec.server.args", s.Spec.Server.Args, s.Spec.Server.Launch == "serve" || s.Simulated())
	for _, r := range s.Workloads() {
		out = append(out, s.flagFlaws(r.Path+".args", r.Args, s.Spec.Server.Launch == "serve" || s.Simulated())...)
		out = append(append(out, s.undefined(r)...), s.unmeasured(r.Path+".args", r.Args)...)
	}
	return slices.Concat(out, s.unmeasured("spec.server.args", s.Spec.Server.Args), s.sidecarFlags(), s.contradictions())
}

// contradictions are settings with which vLLM ends at its start (vllm config/scheduler.py
// SchedulerConfig and config/parallel.py ParallelConfig).
func (s stack) contradictions() (out []schema.Problem) {
	if !s.RunsVLLM() {
		return nil
	}
	for _, r := range s.Workloads() {
		vllm := s.VLLMOf(r.Role)
		if tokens, seqs := vllm.MaxNumBatchedTokens, vllm.MaxNumSeqs; tokens != nil && seqs != nil && *tokens < *seqs {
			out = append(out, s.Problem(schema.Error, s.settingPath(r, "maxNumBatchedTokens"), "is less than maxNumSeqs, and each sequence takes at least one token of a step: vLLM does not start (%d and %d)", *tokens, *seqs))
		}
		if eplb := vllm.EnableEplb; eplb != nil && *eplb && !r.Parallelism.Expert && !slices.Contains(slices.Concat(s.Spec.Server.Args, r.Args), "--enable-expert-parallel") {
			out = append(out, s.Problem(schema.Error, s.settingPath(r, "enableEplb"), "balances experts between ranks, for which vLLM asks for %s.parallelism.expert: true", r.Path))
		}
	}
	return out
}

// unmeasured warns of a flag with which vLLM exports no metrics (vllm v1/engine/async_llm.py).
func (s stack) unmeasured(at string, args []string) []schema.Problem {
	i := slices.Index(args, "--disable-log-stats")
	if i < 0 || !s.RunsVLLM() {
		return nil
	}
	return []schema.Problem{s.Problem(schema.Warning, finding.Indexed(at, i), "takes away the metrics by which the EPP, autoscalers and alerts know the servers' load")}
}

// flagFlaws judges a list of arguments; where all are flags, what stands alone is none.
func (s stack) flagFlaws(at string, args []string, flagsOnly bool) (out []schema.Problem) {
	value := false // the last flag may have this one for a value
	for i, arg := range args {
		name, inline, joined := strings.Cut(arg, "=")
		switch {
		case strings.HasPrefix(arg, "--") && strings.ContainsAny(name, " \t\n"):
			out = append(out, s.Problem(schema.Error, finding.Indexed(at, i), "is one argument with a space in its name; write the flag and its value as two items, or join them: %q", strings.Join(strings.Fields(arg), "=")))
		case oneDash(name) && flagsOnly:
			out = append(out, s.Problem(schema.Error, finding.Indexed(at, i), "is written with one dash, which stands before short names; write -%s", arg))
			value = !joined
		case !strings.HasPrefix(arg, "-") && flagsOnly && !value:
			out = append(out, s.Problem(schema.Error, finding.Indexed(at, i), "is not a flag, and the server takes no arguments but flags after the model's name (got %q)", arg))
		case strings.HasPrefix(arg, "-"):
			if !joined && i+1 < len(args) && !strings.HasPrefix(args[i+1], "-") {
				inline = args[i+1]
			}
			if owner := s.foreign(arg); owner != "" {
				out = append(out, s.Problem(schema.Error, finding.Indexed(at, i), "is a flag of %s, and %s is %s", owner, schema.Path(enginePath), s.Spec.Server.Engine))
			}
			if why := s.notServing(argv.Hyphened(name), inline); why != "" {
				out = append(out, s.Problem(schema.Error, finding.Indexed(at, i), "%s", why))
			}
			value = !joined && !s.switched(name)
		}
	}
	return out
}

// switched reports whether a flag of the server is known to take no value.
func (s stack) switched(flag string) bool {
	if !s.RunsVLLM() {
		return false
	}
	name := argv.Hyphened(strings.TrimPrefix(strings.TrimLeft(flag, "-"), "no-"))
	known, has, _ := release.ComponentNamed("vllm").Newest().Flag(name)
	return has && known.Switch
}

// oneDash reports whether a long flag is written as a short one. The short ones of vLLM have
// up to three letters, such as -dpl, and -O takes its level at once.
func oneDash(name string) bool {
	short, _, _ := strings.Cut(strings.TrimPrefix(name, "-"), ".")
	return strings.HasPrefix(name, "-") && !strings.HasPrefix(name, "--") && len(short) > 3 && short[0] != 'O'
}

// notServing says why a server with the flag serves nobody (vllm entrypoints/openai/cli_args.py
// and engine/arg_utils.py; llm-d-inference-sim pkg/common/config.go).
func (s stack) notServing(flag, value string) string {
	switch flag {
	case "--help", "-h", "--version", "-v":
		if flag == "-v" && s.Simulated() {
			return "" // klog's verbosity
		}
		return "prints something and ends: the server would be started again and again"
	case "--host":
		if loopback(value) {
			return fmt.Sprintf("makes the server listen inside its pod only; probes, EPP and Services reach it by the pod's address: leave it out (got %q)", value)
		}
	case "--uds":
		return "makes the server listen on a socket file, where probes, EPP and Services do not reach it"
	case "--ssl-keyfile", "--ssl-certfile", "--self-signed-certs":
		return "makes the server speak TLS, while probes, gateways and monitors of the stack speak plain HTTP to it; name the Secret in server.certSecret instead, which tells them all"
	case "--headless":
		return "makes the server take no requests; with parallelism.nodes the pods that need it get it by themselves"
	case "--no-enable-prefix-caching", "--disable-radix-cache":
		if s.precisePrefix() {
			return "takes away what preset precise-prefix routes by: the servers' prefix cache"
		}
	case "--enable-prefix-caching":
		if s.precisePrefix() && strings.EqualFold(value, "false") {
			return "must not be false with preset precise-prefix, which routes by the servers' prefix cache"
		}
	}
	return ""
}

// foreign returns the title of the engine that an argument is for, where it is another than
// the stack's.
func (s stack) foreign(arg string) string {
	name, found := flagName(arg)
	line := s.line()
	if !found || line == nil || s.Simulated() || name == "host" {
		return ""
	}
	if own, known := s.EngineOf(line); known && own.Aliases[name] != "" {
		return ""
	}
	if owner := line.FlagOwner(s.Spec.Server.Engine, name); owner != "" {
		return line.EngineTitle(owner)
	}
	return ""
}

func loopback(host string) bool {
	addr, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return strings.EqualFold(host, "localhost") || err == nil && addr.IsLoopback()
}

func (s stack) sidecarFlags() (out []schema.Problem) {
	const at = "spec.kvTransfer.sidecar.args"
	for i, arg := range s.Spec.KVTransfer.Sidecar.Args {
		name, _, _ := strings.Cut(arg, "=")
		switch {
		case name == "--help" || name == "-h":
			out = append(out, s.Problem(schema.Error, finding.Indexed(at, i), "prints something and ends: the sidecar would be started again and again"))
		case strings.HasPrefix(arg, "-") && strings.ContainsAny(name, " \t\n"):
			out = append(out, s.Problem(schema.Error, finding.Indexed(at, i), "is one argument with a space in its name; write %q", strings.Join(strings.Fields(arg), "=")))
		}
	}
	return out
}

// undefined reports $(NAME) in arguments for which there is no variable: the kubelet leaves
// it as it is (Kubernetes API reference, Container.args). With envFrom there may be one.
func (s stack) undefined(r schema.Workload) []schema.Problem {
	if len(s.Spec.Server.EnvFrom)+len(r.EnvFrom) > 0 {
		return nil
	}
	var known []string
	for _, list := range []variableList{{vars: s.Spec.Server.Env}, {vars: r.Env}} {
		for _, v := range list.vars {
			known = append(known, v.Name)
		}
	}
	for _, g := range s.generatedEnv() {
		known = append(known, g.name)
	}
	known = append(known, "POD_IP", "HOME", "LWS_LEADER_ADDRESS", "LWS_GROUP_SIZE", "LWS_WORKER_INDEX")
	var out []schema.Problem
	for _, l := range []argumentList{{"spec.server.args", s.Spec.Server.Args}, {r.Path + ".args", r.Args}} {
		for i, arg := range l.args {
			for _, name := range references(arg) {
				if !slices.Contains(known, name) && !strings.HasSuffix(name, "_SERVICE_HOST") && !strings.HasSuffix(name, "_SERVICE_PORT") {
					out = append(out, s.Problem(schema.Error, finding.Indexed(l.path, i), "there is no variable %s in the container, and so $(%s) would stay as it is; add it to env, or write $$(%s) for this text", name, name, name))
				}
			}
		}
	}
	return out
}

// references are the names of the variables that the kubelet puts into a text: $(NAME), but
// not $$(NAME) (kubernetes third_party/forked/golang/expansion).
func references(text string) []string {
	var out []string
	for {
		i := strings.IndexByte(text, '$')
		if i < 0 || i+1 >= len(text) {
			return out
		}
		rest := text[i+1:]
		switch rest[0] {
		case '(':
			name, after, closed := strings.Cut(rest[1:], ")")
			if !closed {
				return out
			}
			out, text = append(out, name), after
		default:
			text = rest[1:]
		}
	}
}
