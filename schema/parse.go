package schema

import (
	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/internal/lazyjson"
)

// The identity of the documents this package reads.
const (
	APIVersion = "inferstack.dev/v1alpha1"
	Kind       = "InferenceStack"
)

// Parse checks one YAML document against the schema and the rules and completes
// it with defaults. The stack is nil when there is any error; all problems of the
// document are reported, in the order of their positions.
func Parse(doc *yaml.Node, src Source) (*Stack, Problems) {
	return parse(doc, src, rules)
}

func parse(doc *yaml.Node, src Source, rules []Rule) (*Stack, Problems) {
	w := &walker{src: src, out: make([]byte, 0, 8<<10)}
	node := resolve(doc)
	if node == nil {
		node = &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null"}
	}
	at := &place{node: node}
	if !inspect(w, at) || !w.value(root, at) {
		w.problems.Sort()
		return nil, w.problems
	}
	s := &Stack{}
	if err := lazyjson.Decode(w.out, s); err != nil {
		w.problem(at, nil, "%v", err)
		return nil, w.problems
	}
	s.origin = &origin{src: src, root: node}
	s.expand()
	w.problems = append(w.problems, judge(s, rules, w.problems)...)
	w.problems = silence(s, w.problems)
	w.problems.Sort()
	if len(w.problems.Errors()) > 0 {
		return nil, w.problems.WithoutInfos()
	}
	return s, w.problems
}
