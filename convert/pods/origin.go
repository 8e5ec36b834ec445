package pods

import (
	"fmt"

	"go.yaml.in/yaml/v3"
)

// field is where the document has what a field of the role's stack came from: the role as
// a whole, unless the system says more.
func (r *Role) field(name string) string {
	if from, ok := r.Fields[name]; ok {
		return from
	}
	return r.From
}

// items says which entry of the document each entry of a list came from, since those that
// the stack writes by itself are taken out of it.
func (s *Servers) items(path, from string) {
	list, source := s.Get(path), s.Doc.At(from)
	if list == nil || source == nil || list.Kind != yaml.SequenceNode || source.Kind != yaml.SequenceNode {
		return
	}
	next := 0
	for i, entry := range list.Content {
		for j := next; j < len(source.Content); j++ {
			if alike(entry, source.Content[j]) {
				s.From(fmt.Sprintf("%s[%d]", path, i), fmt.Sprintf("%s[%d]", from, j))
				next = j + 1
				break
			}
		}
	}
}

// alike reports whether two entries are the same word, or have the same name.
func alike(a, b *yaml.Node) bool {
	if a.Kind == yaml.ScalarNode || b.Kind == yaml.ScalarNode {
		return a.Kind == b.Kind && a.Value == b.Value
	}
	if name := named(a); name != nil {
		other := named(b)
		return other != nil && other.Value == name.Value
	}
	return true
}

func named(n *yaml.Node) *yaml.Node {
	for i := 0; n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == "name" {
			return n.Content[i+1]
		}
	}
	return nil
}
