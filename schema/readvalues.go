package schema

import "go.yaml.in/yaml/v3"

// ReadValues reads a file that holds one mapping which is not a Kubernetes object, such as
// the values of a chart. A file without content is an empty mapping.
func ReadValues(file string, data []byte) (Document, Problems) {
	r := &reader{src: Source{File: file, Lines: true}}
	out := Document{Source: r.src, Node: &yaml.Node{Kind: yaml.MappingNode}}
	r.each(data, func(doc *yaml.Node) bool {
		switch n := resolve(doc); {
		case n == nil || null(n):
		case n.Kind != yaml.MappingNode:
			r.problem(n.Line, n.Column, "must be a mapping (got %s)", got(n))
		case len(out.Node.Content) > 0:
			r.problem(n.Line, n.Column, "a second document: a values file has one")
		default:
			out.Node = n
			r.problems = append(r.problems, Unsound(r.src, n)...)
		}
		return len(r.problems) == 0
	})
	return out, r.problems
}
