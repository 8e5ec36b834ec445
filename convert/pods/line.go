package pods

import (
	"slices"
	"strings"

	"github.com/inferstack/inferstack/convert/serving"
	"github.com/inferstack/inferstack/internal/argv"
	"github.com/inferstack/inferstack/internal/lists"
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
	serving.CommandLine
}

// parseLine tells how a container starts its server. An entrypoint that is not vLLM's
// is left as it is.
func parseLine(command, args []string) line {
	switch words := slices.Concat(command, args); {
	case len(command) == 0 && (len(args) == 0 || strings.HasPrefix(args[0], "-")):
		return line{launch: LaunchImage, CommandLine: *serving.ReadLine(args)}
	case len(words) > 1 && words[0] == "vllm" && words[1] == "serve":
		return line{launch: LaunchServe, CommandLine: *serving.ReadLine(words[2:])}
	case apiServer(words) > 0:
		return line{launch: LaunchServe, CommandLine: *serving.ReadLine(words[apiServer(words):])}
	case len(command) == 0:
		return line{launch: LaunchImage, CommandLine: *serving.ReadLine(args)}
	}
	return line{launch: LaunchCustom, command: command, CommandLine: serving.CommandLine{Flags: whole(args)}}
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
func whole(args []string) []argv.Word {
	return lists.Map(args, func(a string) argv.Word { return argv.Word{Words: []string{a}} })
}

// model takes what the server loads: the first word, or --model.
func (l *line) model() string {
	if m, ok := l.Take("model"); ok {
		return m
	}
	if l.launch == LaunchServe && len(l.Flags) > 0 && l.Flags[0].Name != "" && !l.Flags[0].IsFlag() {
		m := l.Flags[0].Name
		l.Flags = l.Flags[1:]
		return m
	}
	return ""
}
