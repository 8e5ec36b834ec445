package pods

import (
	"slices"
	"strings"

	"github.com/inferstack/inferstack/convert/serving"
)

// Ways to start a model server, as spec.server.launch has them.
const (
	LaunchServe  = "serve"
	LaunchImage  = "image"
	LaunchCustom = "custom"
)

// A line is a model server's command line taken apart.
type line struct {
	launch  string
	command []string // for a custom start
	flags   []serving.Flag
}

// aliases are vLLM's short flags (vllm engine/arg_utils.py, 0.30).
var aliases = map[string]string{
	"-tp": "tensor-parallel-size", "-pp": "pipeline-parallel-size", "-dp": "data-parallel-size",
	"-dpl": "data-parallel-size-local", "-ep": "enable-expert-parallel", "-sc": "speculative-config",
}

// parseLine tells how a container starts its server. An entrypoint that is not vLLM's
// is left as it is.
func parseLine(command, args []string) line {
	switch words := slices.Concat(command, args); {
	case len(command) == 0 && (len(args) == 0 || strings.HasPrefix(args[0], "-")):
		return line{launch: LaunchImage, flags: serving.SplitFlags(args)}
	case len(words) > 1 && words[0] == "vllm" && words[1] == "serve":
		return line{launch: LaunchServe, flags: serving.SplitFlags(words[2:])}
	case apiServer(words) > 0:
		return line{launch: LaunchServe, flags: serving.SplitFlags(words[apiServer(words):])}
	case len(command) == 0:
		return line{launch: LaunchImage, flags: serving.SplitFlags(args)}
	}
	return line{launch: LaunchCustom, command: command, flags: whole(args)}
}

// apiServer counts the words of python -m vllm.entrypoints.openai.api_server, which
// takes the same flags as vllm serve.
func apiServer(words []string) int {
	if len(words) > 2 && strings.HasPrefix(words[0], "python") && words[1] == "-m" && words[2] == "vllm.entrypoints.openai.api_server" {
		return 3
	}
	return 0
}

// whole keeps every word of a command line that is not vLLM's.
func whole(args []string) []serving.Flag {
	var out []serving.Flag
	for _, a := range args {
		out = append(out, serving.Flag{Words: []string{a}})
	}
	return out
}

func flagName(name string) string {
	if full, ok := aliases[name]; ok {
		return full
	}
	return strings.ReplaceAll(strings.TrimLeft(name, "-"), "_", "-")
}

func (l *line) find(name string) int {
	return slices.IndexFunc(l.flags, func(f serving.Flag) bool {
		return strings.HasPrefix(f.Name, "-") && flagName(f.Name) == name
	})
}

// value looks at a flag without taking it.
func (l *line) value(name string) (string, bool) {
	if i := l.find(name); i >= 0 {
		return l.flags[i].Value, true
	}
	return "", false
}

// take removes a flag and returns its value; of several, the last wins, as in vLLM.
func (l *line) take(name string) (value string, found bool) {
	for i := l.find(name); i >= 0; i = l.find(name) {
		value, found = l.flags[i].Value, true
		l.flags = slices.Delete(l.flags, i, i+1)
	}
	return value, found
}

// model takes what the server loads: the first word, or --model.
func (l *line) model() string {
	if m, ok := l.take("model"); ok {
		return m
	}
	if l.launch == LaunchServe && len(l.flags) > 0 && l.flags[0].Name != "" && !strings.HasPrefix(l.flags[0].Name, "-") {
		m := l.flags[0].Name
		l.flags = l.flags[1:]
		return m
	}
	return ""
}

// names takes --served-model-name, which has one or several words.
func (l *line) names() []string {
	i := l.find("served-model-name")
	if i < 0 {
		return nil
	}
	names := []string{l.flags[i].Value}
	end := i + 1
	for end < len(l.flags) && l.flags[end].Name != "" && !strings.HasPrefix(l.flags[end].Name, "-") {
		names = append(names, l.flags[end].Name)
		end++
	}
	l.flags = slices.Delete(l.flags, i, end)
	return names
}

// rest is what is left of the command line, as it was written.
func (l *line) rest() []string {
	var out []string
	for _, f := range l.flags {
		out = append(out, f.Words...)
	}
	return out
}
