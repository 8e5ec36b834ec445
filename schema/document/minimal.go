package document

import (
	"strconv"

	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/internal/model"
)

// Minimal puts the fields of an InferenceStack into the order of the schema and
// takes out those that say what their default says, with the sections that are
// empty then. A section whose presence alone means something stays. The node is
// changed in place.
func Minimal(doc *yaml.Node) {
	if n := resolve(doc); n != nil && n.Kind == yaml.MappingNode {
		minimal(root, n)
	}
}

func minimal(t *model.Type, n *yaml.Node) {
	switch {
	case t.Kind == model.List && n.Kind == yaml.SequenceNode:
		for _, e := range n.Content {
			minimal(t.Elem, e)
		}
	case t.Kind == model.Struct && n.Kind == yaml.MappingNode:
		var content []*yaml.Node
		for i := range t.Fields {
			if key, value := keyed(n, t.Fields[i].Name); value != nil && !redundant(&t.Fields[i], value) {
				content = append(content, key, value)
			}
		}
		n.Content = append(content, unknownTo(t, n)...)
	}
}

// redundant reports whether a field can go, once its own fields are minimal.
func redundant(f *model.Field, n *yaml.Node) bool {
	minimal(f.Type, n)
	if n.Kind == yaml.ScalarNode {
		return f.Default != nil && !f.Required && contains([]any{f.Default}, defaultScalar(f, n))
	}
	return f.Type.Kind == model.Struct && !f.Optional && !f.Required && len(n.Content) == 0
}

// defaultScalar is the value in the type of the default: 1 and 1.0 are one weight.
func defaultScalar(f *model.Field, n *yaml.Node) scalar {
	s := scalarOf(n)
	if _, ok := f.Default.(float64); ok && s.basic == model.Int {
		s.basic = model.Number
	}
	if i, ok := f.Default.(int64); ok && s.basic == model.Number && s.text == strconv.FormatInt(i, 10) {
		s.basic, s.num = model.Int, float64(i)
	}
	return s
}

func keyed(n *yaml.Node, name string) (key, value *yaml.Node) {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == name {
			return n.Content[i], n.Content[i+1]
		}
	}
	return nil, nil
}

func unknownTo(t *model.Type, n *yaml.Node) (out []*yaml.Node) {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if t.Lookup(n.Content[i].Value) == nil {
			out = append(out, n.Content[i], n.Content[i+1])
		}
	}
	return out
}
