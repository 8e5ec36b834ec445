package helm

import (
	"bytes"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/convert/draft"
	"github.com/inferstack/inferstack/schema/document"
)

// embedded reads the YAML that a text of a values file holds. The part that is returned
// writes the draft as if the text's fields were the file's own, so that what is said about
// them has their line; it is nil when the text is not YAML, which is said.
func (r *release) embedded(p *draft.Part, from string) *draft.Part {
	text := p.Doc.At(from)
	inner, problems := document.ReadValues(p.Doc.Source.File, []byte(text.Value))
	line, column := r.inside(p.Doc.Source.File, text)
	if line == 0 {
		place(inner.Node, text.Line, text.Column)
	} else {
		shift(inner.Node, line, column)
	}
	for _, q := range problems {
		if q.Line += line; line == 0 {
			q.Line, q.Column = text.Line, text.Column
		} else if q.Column > 0 {
			q.Column += column
		}
		q.Path = below(from, q.Path)
		r.Problems = append(r.Problems, q)
	}
	if len(problems) > 0 {
		return nil
	}
	doc := p.Doc
	doc.Node = substitute(doc.Node, text, inner.Node)
	return r.Part(doc)
}

// inside is how far the lines and columns of a block of text are from those of the file;
// text in quotes is not taken apart.
func (r *release) inside(file string, text *yaml.Node) (line, column int) {
	if text.Style&(yaml.LiteralStyle|yaml.FoldedStyle) == 0 {
		return 0, 0
	}
	data, first := r.in.source(file, text.Line)
	lines := bytes.Split(data, []byte("\n"))
	for _, l := range lines[min(first, len(lines)):] {
		if trimmed := bytes.TrimLeft(l, " "); len(bytes.TrimSpace(trimmed)) > 0 {
			return text.Line, len(l) - len(trimmed)
		}
	}
	return text.Line, 0
}

func shift(n *yaml.Node, line, column int) {
	n.Line, n.Column = n.Line+line, n.Column+column
	for _, c := range n.Content {
		shift(c, line, column)
	}
}

func place(n *yaml.Node, line, column int) {
	n.Line, n.Column = line, column
	for _, c := range n.Content {
		place(c, line, column)
	}
}

// substitute copies a tree with one node in another's place.
func substitute(n, old, replacement *yaml.Node) *yaml.Node {
	if n == old {
		return replacement
	}
	out := *n
	out.Content = make([]*yaml.Node, len(n.Content))
	for i, c := range n.Content {
		out.Content[i] = substitute(c, old, replacement)
	}
	return &out
}

// decode reads a field of the values into a Go struct, and says what is wrong with it.
// The struct may hold values already; what the file says is laid over them, and what
// it leaves out is not missed.
func (r *release) decode(p *draft.Part, from string, into any) {
	n := p.Doc.At(from)
	if n == nil || n.Kind != yaml.MappingNode {
		return
	}
	for _, q := range document.Decode(document.Document{Source: p.Doc.Source, Node: n}, into) {
		at := p.On("", below(from, q.Path))
		switch {
		case q.Rule == document.RuleMissing && !strings.ContainsAny(q.Path, ".["):
		case r.Lossy && q.Rule == document.RuleUnknown:
			at.Warn("%s", q.Message)
		default:
			at.Fail("%s", q.Message)
		}
	}
}

// below joins two paths.
func below(from, path string) string {
	if path == "" || path[0] == '[' {
		return from + path
	}
	return from + "." + path
}
