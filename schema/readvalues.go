package schema

import (
	"bytes"
	"errors"
	"io"

	"go.yaml.in/yaml/v3"
)

// ReadValues reads a file that holds one mapping which is no Kubernetes object, such as
// the values of a chart. A file without content is an empty mapping.
func ReadValues(file string, data []byte) (Document, Problems) {
	r := &reader{src: Source{File: file, Lines: true}}
	out := Document{Source: r.src, Node: &yaml.Node{Kind: yaml.MappingNode}}
	if line, column, ok := invalid(data); ok {
		r.problem(line, column, "not UTF-8 text")
		return out, r.problems
	}
	data = withoutMarks(data)
	dec := yaml.NewDecoder(bytes.NewReader(data))
	for {
		var doc yaml.Node
		switch err := decode(dec, &doc); {
		case errors.Is(err, io.EOF):
			return out, r.problems
		case err != nil:
			line, message := syntax(data, err)
			r.problem(line, 0, "not YAML: %s", message)
			return out, r.problems
		}
		n := resolve(&doc)
		if n == nil || null(n) {
			continue
		}
		if n.Kind != yaml.MappingNode {
			r.problem(n.Line, n.Column, "must be a mapping (got %s)", got(n))
			return out, r.problems
		}
		if len(out.Node.Content) > 0 {
			r.problem(n.Line, n.Column, "a second document: a values file has one")
			return out, r.problems
		}
		out.Node = n
		r.problems = append(r.problems, Unsound(r.src, n)...)
		if len(r.problems) > 0 {
			return out, r.problems
		}
	}
}
