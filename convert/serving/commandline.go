package serving

import (
	"slices"
	"strings"

	"github.com/inferstack/inferstack/internal/argv"
)

// A CommandLine is what is left of a server's flags while they move into a stack.
type CommandLine struct{ Flags []argv.Word }

// ReadLine is a command line of which nothing has moved yet.
func ReadLine(words []string) *CommandLine { return &CommandLine{argv.Split(words)} }

// aliases are vLLM's short flags (vllm engine/arg_utils.py, 0.30).
var aliases = map[string]string{
	"-tp": "tensor-parallel-size", "-pp": "pipeline-parallel-size", "-dp": "data-parallel-size",
	"-dpl": "data-parallel-size-local", "-ep": "enable-expert-parallel", "-sc": "speculative-config",
}

// FlagName is a flag without its dashes, in its long form.
func FlagName(name string) string {
	if full, ok := aliases[name]; ok {
		return full
	}
	return argv.Hyphened(strings.TrimLeft(name, "-"))
}

func (l *CommandLine) find(name string) int {
	return slices.IndexFunc(l.Flags, func(f argv.Word) bool { return f.IsFlag() && FlagName(f.Name) == name })
}

// Value looks at a flag without taking it; of several, the last wins.
func (l *CommandLine) Value(name string) (string, bool) {
	rest := CommandLine{slices.Clone(l.Flags)}
	return rest.Take(name)
}

// Take removes a flag and returns its value; of several, the last wins, as in vLLM.
func (l *CommandLine) Take(name string) (value string, found bool) {
	for i := l.find(name); i >= 0; i = l.find(name) {
		value, found = l.Flags[i].Value, true
		l.Flags = slices.Delete(l.Flags, i, i+1)
	}
	return value, found
}

// Names takes --served-model-name, which has one or several words.
func (l *CommandLine) Names() []string {
	i := l.find("served-model-name")
	if i < 0 {
		return nil
	}
	names := []string{l.Flags[i].Value}
	end := i + 1
	for end < len(l.Flags) && l.Flags[end].Name != "" && !l.Flags[end].IsFlag() {
		names = append(names, l.Flags[end].Name)
		end++
	}
	l.Flags = slices.Delete(l.Flags, i, end)
	return names
}

// Words is what is left, as it was written.
func (l *CommandLine) Words() (out []string) {
	for _, f := range l.Flags {
		out = append(out, f.Words...)
	}
	return out
}
