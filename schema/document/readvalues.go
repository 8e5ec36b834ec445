package document

import (
	"fmt"

	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/finding"
	"github.com/inferstack/inferstack/schema"
)

// ReadValues reads a file that holds one mapping which is not a Kubernetes object, such as
// the values of a chart. A file without content is an empty mapping.
func ReadValues(file string, data []byte) (Document, schema.Problems) {
	r := &reader{src: schema.Source{File: file, Lines: true}}
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
			r.problems = append(r.problems, lastWins(r.src, n, "")...)
			r.problems = append(r.problems, Unsound(r.src, n)...)
		}
		return len(r.problems.Errors()) == 0
	})
	return out, r.problems
}

// lastWins leaves of a key that a mapping has twice the last one, as Helm does silently (helm
// pkg/chartutil/values.go reads values with sigs.k8s.io/yaml, which is not strict).
func lastWins(src schema.Source, n *yaml.Node, path string) (out schema.Problems) {
	if n.Kind == yaml.MappingNode {
		n.Content, out = distinct(src, n.Content, path)
	}
	for i, c := range n.Content {
		switch {
		case n.Kind == yaml.SequenceNode:
			out = append(out, lastWins(src, c, finding.Indexed(path, i))...)
		case n.Kind == yaml.MappingNode && i%2 == 1:
			out = append(out, lastWins(src, c, finding.Join(path, n.Content[i-1].Value, -1))...)
		}
	}
	return out
}

// distinct are the pairs of a mapping without those whose key comes again.
func distinct(src schema.Source, pairs []*yaml.Node, path string) ([]*yaml.Node, schema.Problems) {
	if len(pairs) > 2*maxKeys {
		return pairs, nil // which is an error of its own
	}
	last := map[string]int{}
	for i := 0; i+1 < len(pairs); i += 2 {
		last[pairs[i].Value] = i
	}
	var out []*yaml.Node
	var problems schema.Problems
	for i := 0; i+1 < len(pairs); i += 2 {
		if again := pairs[last[pairs[i].Value]]; again != pairs[i] && pairs[i].ShortTag() != mergeTag {
			problems = append(problems, schema.Problem{
				Severity: schema.Warning, Kind: finding.Lost, File: src.File, Line: pairs[i].Line, Column: pairs[i].Column, Path: finding.Join(path, pairs[i].Value, -1),
				Message: fmt.Sprintf("left out: it is written again on line %d, and Helm takes the last one", again.Line),
			})
			continue
		}
		out = append(out, pairs[i], pairs[i+1])
	}
	return out, problems
}
