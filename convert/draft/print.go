package draft

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Print is all that a draft amounts to so far, and all that is said about it: two drafts
// with the same print come from documents that mean the same.
func (d *Draft) Print() string {
	var b strings.Builder
	print(&b, d.root)
	said := make([]string, len(d.Problems))
	for i, p := range d.Problems {
		said[i] = string(p.Severity) + p.Path + " " + p.Message
	}
	slices.Sort(said)
	b.WriteString(strings.Join(said, "\n"))
	return b.String()
}

// PrintNode is a further object as Print writes it.
func PrintNode(n *yaml.Node) string {
	var b strings.Builder
	print(&b, n)
	return b.String()
}

// print writes a tree of a draft's own, in which there are no aliases, with the fields
// in order.
func print(b *strings.Builder, n *yaml.Node) {
	switch n.Kind {
	case yaml.ScalarNode:
		b.WriteString(n.ShortTag() + n.Value + "\n")
	case yaml.SequenceNode:
		for _, e := range n.Content {
			b.WriteString("- ")
			print(b, e)
		}
	default:
		fields := make([]string, 0, len(n.Content)/2)
		for i := 0; i+1 < len(n.Content); i += 2 {
			var field strings.Builder
			field.WriteString(n.Content[i].Value + ": ")
			print(&field, n.Content[i+1])
			fields = append(fields, field.String())
		}
		slices.Sort(fields)
		b.WriteString("{" + strings.Join(fields, "") + "}\n")
	}
}
