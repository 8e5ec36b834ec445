package document

import (
	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/internal/lazyjson"
	"github.com/inferstack/inferstack/schema"
)

// The IDs of what the walk reports. RuleUnknown is that of a field that does not exist, RuleMissing
// that of a required one.
const (
	RuleValue   = "stack-value"
	RuleUnknown = "stack-unknown-field"
	RuleMissing = "stack-missing-field"
)

// Walk checks one YAML document against the model and completes it with defaults. Of a
// document with errors the stack is what is right in it, for rules that hold all the same; it is
// nil when there is nothing to judge.
func Walk(doc *yaml.Node, src schema.Source) (*schema.Stack, schema.Problems) {
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
	s := &schema.Stack{}
	if err := lazyjson.Decode(w.out, s); err != nil {
		w.problem(at, nil, "%v", err)
		return nil, w.problems
	}
	s.ReadFrom(&tree{src, node})
	return s, w.problems
}

// A tree is the document of a stack, as its origin.
type tree struct {
	src  schema.Source
	root *yaml.Node
}

func (o *tree) Source() schema.Source { return o.src }

func (o *tree) Position(path string) (line, column int) {
	at, _ := find(o.root, path)
	return at.position()
}

func (o *tree) Has(path string) bool {
	_, ok := find(o.root, path)
	return ok
}
