package schema

import (
	"embed"
	"io/fs"
	"strings"
)

//go:embed *.cue
var cueFiles embed.FS

// CUE is the definition itself: all CUE files as one.
func CUE() string {
	names, err := fs.Glob(cueFiles, "*.cue")
	if err != nil {
		panic(err) // the pattern is ours
	}
	var head, body strings.Builder
	head.WriteString("package schema\n\nimport (\n\t\"list\"\n\t\"strings\"\n)\n")
	for _, name := range names {
		data, err := cueFiles.ReadFile(name)
		if err != nil {
			panic(err) // the file is embedded
		}
		body.WriteString("\n" + withoutHead(string(data)))
	}
	return head.String() + body.String()
}

// withoutHead is a CUE file without its package clause and imports.
func withoutHead(src string) string {
	var out []string
	importing := false
	for line := range strings.Lines(src) {
		switch {
		case importing:
			importing = !strings.HasPrefix(line, ")")
		case strings.HasPrefix(line, "import ("):
			importing = true
		case strings.HasPrefix(line, "package "), strings.HasPrefix(line, "import "):
		default:
			out = append(out, line)
		}
	}
	return strings.TrimLeft(strings.Join(out, ""), "\n")
}
