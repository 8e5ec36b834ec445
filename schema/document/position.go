package document

import (
	"strconv"

	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/finding"
)

// A place is a node and the way to it.
type place struct {
	up    *place
	name  string // in a mapping
	index int    // in a list, when name is empty
	key   *yaml.Node
	node  *yaml.Node // nil when nothing is written there
}

// path is the place in words: spec.route.matches[0].labels[a.b/c].
func (p *place) path() string {
	if p == nil || p.up == nil {
		return ""
	}
	return finding.Join(p.up.path(), p.name, p.index)
}

// position is where the value stands when it begins on the line of its key, else
// where the key stands: a block mapping begins at its own first key.
func (p *place) position() (line, column int) {
	for ; p != nil; p = p.up {
		v := resolve(p.node)
		switch {
		case p.key == nil && v != nil, v != nil && written(v) && (v.Kind == yaml.ScalarNode || v.Line == p.key.Line):
			return v.Line, v.Column
		case p.key != nil:
			return p.key.Line, p.key.Column
		}
	}
	return 0, 0
}

// written is false for the null that an empty value stands for.
func written(n *yaml.Node) bool {
	return n.Kind != yaml.ScalarNode || n.Value != "" || n.Style != 0
}

// resolve follows aliases and steps into a document.
func resolve(n *yaml.Node) *yaml.Node {
	for range maxDepth {
		switch {
		case n == nil:
			return nil
		case n.Kind == yaml.AliasNode:
			n = n.Alias
		case n.Kind == yaml.DocumentNode && len(n.Content) == 1:
			n = n.Content[0]
		default:
			return n
		}
	}
	return n
}

// find walks a path; when it ends early, the last place that is there.
func find(root *yaml.Node, path string) (*place, bool) {
	at := &place{node: root}
	for _, step := range finding.Steps(path) {
		next := at.child(step)
		if next == nil {
			return at, false
		}
		at = next
	}
	return at, true
}

// child is the place one step further in, or nil.
func (p *place) child(step string) *place {
	n := resolve(p.node)
	if n == nil {
		return nil
	}
	if n.Kind == yaml.SequenceNode {
		i, err := strconv.Atoi(step)
		if err != nil || i < 0 || i >= len(n.Content) {
			return nil
		}
		return &place{up: p, index: i, node: n.Content[i]}
	}
	for _, f := range pairs(n) {
		if f.key.Value == step {
			return &place{up: p, name: step, index: -1, key: f.key, node: f.value}
		}
	}
	return nil
}
