package graph

import (
	"fmt"
	"io"
	"slices"
)

// Formats that Write knows, the first is the default.
var Formats = []string{"svg", "mermaid", "dot", "html"}

// Write writes a picture in a format.
func Write(w io.Writer, format string, p *Picture) error {
	switch format {
	case "svg":
		return SVG(w, p)
	case "mermaid":
		return Mermaid(w, p)
	case "dot":
		return DOT(w, p)
	case "html":
		return HTML(w, p)
	default:
		return fmt.Errorf("format is one of %v (got %q)", Formats, format)
	}
}

// FormatOf is the format that a file's ending stands for, "" when it stands for none.
func FormatOf(ending string) string {
	format := map[string]string{".svg": "svg", ".mmd": "mermaid", ".mermaid": "mermaid", ".dot": "dot", ".gv": "dot", ".html": "html"}[ending]
	if !slices.Contains(Formats, format) {
		return ""
	}
	return format
}
