package wiring

import (
	"cmp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/internal/lists"
	"github.com/inferstack/inferstack/schema/document"
)

// A field is a place in an object: what is there, if anything, and on which line. Asking
// for what is not there is no error, so that rules read straight through objects of any
// shape.
type field struct {
	node *yaml.Node
	// offset is added to the node's lines, for YAML that is text inside YAML.
	offset int
	// parent is the line of the nearest thing around it that is there.
	parent int
}

// at follows keys (string) and indexes (int).
func (f field) at(path ...any) field {
	for _, step := range path {
		f = f.step(step)
	}
	return f
}

func (f field) step(step any) field {
	out := field{offset: f.offset, parent: f.line()}
	if f.node == nil {
		return out
	}
	switch step := step.(type) {
	case string:
		if f.node.Kind != yaml.MappingNode {
			return out
		}
		for i := 0; i+1 < len(f.node.Content); i += 2 {
			if f.node.Content[i].Value == step {
				out.node = resolved(f.node.Content[i+1])
				out.parent = f.node.Content[i].Line + f.offset
			}
		}
	case int:
		if f.node.Kind == yaml.SequenceNode && 0 <= step && step < len(f.node.Content) {
			out.node = resolved(f.node.Content[step])
		}
	}
	return out
}

func resolved(n *yaml.Node) *yaml.Node {
	for n != nil && n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	return n
}

// line of the field, or of what is around it when it is not there.
func (f field) line() int {
	if f.node == nil || f.node.Line == 0 {
		return f.parent
	}
	return f.node.Line + f.offset
}

// is reports whether the field is there and not null.
func (f field) is() bool { return f.node != nil && f.node.Tag != "!!null" }

// text is the field's scalar, "" when there is none.
func (f field) text() string {
	if !f.is() || f.node.Kind != yaml.ScalarNode {
		return ""
	}
	return f.node.Value
}

// or is the text, or what stands for it when there is none.
func (f field) or(otherwise string) string {
	return cmp.Or(f.text(), otherwise)
}

// number is the field's integer; ok reports whether it is one.
func (f field) number() (n int, ok bool) {
	n, err := strconv.Atoi(f.text())
	return n, err == nil
}

// list is the items of a sequence.
func (f field) list() []field {
	if !f.is() || f.node.Kind != yaml.SequenceNode {
		return nil
	}
	items := make([]field, len(f.node.Content))
	for i := range items {
		items[i] = f.step(i)
	}
	return items
}

// keys are those of a mapping, in the order of the file.
func (f field) keys() (keys []string) {
	if !f.is() || f.node.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(f.node.Content); i += 2 {
		keys = append(keys, f.node.Content[i].Value)
	}
	return keys
}

// texts is a mapping of scalars. Labels that a controller gives each pod its own of are
// those of the first.
func (f field) texts() map[string]string {
	out := map[string]string{}
	for _, k := range f.keys() {
		out[k] = canonical(k, f.at(k).text())
	}
	return out
}

// words is a list of scalars.
func (f field) words() []string {
	items := f.list()
	return lists.Map(items, field.text)
}

// walk visits all that is below the field, each with its key.
func (f field) walk(visit func(key string, f field)) {
	for _, item := range f.list() {
		item.walk(visit)
	}
	for _, k := range f.keys() {
		visit(k, f.at(k))
		f.at(k).walk(visit)
	}
}

// decoded is the field as plain Go values.
func (f field) decoded() (out any) {
	if f.node == nil || document.Sound(f.node) != nil || f.node.Decode(&out) != nil {
		return nil
	}
	return out
}

// embedded parses the text of a block scalar as YAML; its lines are those of the file
// when the scalar is written as a block.
func (f field) embedded() field {
	var doc yaml.Node
	if yaml.Unmarshal([]byte(f.text()), &doc) != nil || len(doc.Content) == 0 || hasAlias(&doc) && document.Sound(&doc) != nil {
		return field{parent: f.line()}
	}
	inner := field{node: resolved(doc.Content[0]), parent: f.line()}
	if f.node.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
		inner.offset = f.line()
	}
	return inner
}

// templated says that something else fills the value in later, such as envsubst or helm.
func templated(text string) bool {
	return strings.Contains(text, "${") || strings.Contains(text, "{{") || strings.Contains(text, "$(")
}
