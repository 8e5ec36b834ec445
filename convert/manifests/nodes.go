package manifests

import (
	"fmt"
	"strconv"

	"go.yaml.in/yaml/v3"
)

// Trials go from objects to nodes and back a thousand times: by hand, since yaml does it by way of
// reflection and of text.

// plain is what a node says.
func plain(n *yaml.Node) (v any) {
	switch n.Kind {
	case yaml.MappingNode:
		out := make(object, len(n.Content)/2)
		for i := 0; i+1 < len(n.Content); i += 2 {
			out[n.Content[i].Value] = plain(n.Content[i+1])
		}
		return out
	case yaml.SequenceNode:
		out := make([]any, len(n.Content))
		for i, e := range n.Content {
			out[i] = plain(e)
		}
		return out
	}
	switch n.Tag {
	case "!!str":
		return n.Value
	case "!!int":
		if i, err := strconv.Atoi(n.Value); err == nil {
			return i
		}
	case "!!bool":
		if b, err := strconv.ParseBool(n.Value); err == nil {
			return b
		}
	}
	_ = n.Decode(&v) // what cannot be read is none
	return v
}

// node is a value as YAML has it.
func node(v any) *yaml.Node {
	switch v := v.(type) {
	case object:
		n := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Content: make([]*yaml.Node, 0, 2*len(v))}
		for key, e := range sorted(v) {
			n.Content = append(n.Content, node(key), node(e))
		}
		return n
	case []any:
		n := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq", Content: make([]*yaml.Node, len(v))}
		for i, e := range v {
			n.Content[i] = node(e)
		}
		return n
	case string:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Style: yaml.DoubleQuotedStyle, Value: v}
	case int:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!int", Value: strconv.Itoa(v)}
	case bool:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!bool", Value: strconv.FormatBool(v)}
	}
	n := &yaml.Node{}
	if n.Encode(v) != nil {
		n.SetString(fmt.Sprint(v))
	}
	return n
}
