package draft

import (
	"encoding/json"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// steps splits spec.extraGateways[0].name at its dots and brackets.
func steps(path string) []string {
	return strings.Split(strings.NewReplacer("[", ".", "]", "").Replace(path), ".")
}

// child is the value of a key or, in a list, at an index.
func child(n *yaml.Node, step string) *yaml.Node {
	if n.Kind == yaml.SequenceNode {
		if i, err := strconv.Atoi(step); err == nil && i < len(n.Content) {
			return n.Content[i]
		}
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == step {
			return n.Content[i+1]
		}
	}
	return nil
}

// replace writes a key, or appends to a list. A mapping that is still empty becomes
// a list when its first step is 0.
func replace(n *yaml.Node, step string, value *yaml.Node) {
	if step == "0" && len(n.Content) == 0 {
		n.Kind = yaml.SequenceNode
	}
	if n.Kind == yaml.SequenceNode {
		n.Content = append(n.Content, value)
		return
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == step {
			n.Content[i+1] = value
			return
		}
	}
	n.Content = append(n.Content, node(step), value)
}

// Node is a Kubernetes object as YAML, without the status that its Go form always has.
func Node(object any) *yaml.Node {
	n := node(object)
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == "status" {
			n.Content = append(n.Content[:i], n.Content[i+2:]...)
		}
	}
	return n
}

// node turns a Go value or a node of the user's file into a node of its own.
func node(value any) *yaml.Node {
	switch v := value.(type) {
	case *yaml.Node:
		return clone(v)
	case string:
		return clone(&yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: v})
	case bool:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!bool", Value: strconv.FormatBool(v)}
	case int32:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!int", Value: strconv.Itoa(int(v))}
	}
	data, err := json.Marshal(value)
	if err != nil {
		panic(err) // values are plain data
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(data, &doc); err != nil {
		panic(err) // JSON is YAML
	}
	return clone(doc.Content[0])
}

// clone copies a node without aliases, comments and styles, except the quotes that
// keep a string one.
func clone(n *yaml.Node) *yaml.Node {
	for n.Kind == yaml.AliasNode || n.Kind == yaml.DocumentNode {
		if n.Kind == yaml.AliasNode {
			n = n.Alias
		} else {
			n = n.Content[0]
		}
	}
	out := &yaml.Node{Kind: n.Kind, Tag: n.Tag, Value: n.Value}
	if n.Kind == yaml.ScalarNode {
		out.Tag = n.ShortTag()
		if out.Tag == "!!str" && !plain(n.Value) {
			out.Style = yaml.DoubleQuotedStyle
			if strings.Contains(n.Value, "\n") {
				out.Style = yaml.LiteralStyle
			}
		}
		return out
	}
	out.Tag = ""
	for _, c := range n.Content {
		out.Content = append(out.Content, clone(c))
	}
	return out
}

// word reports whether a string cannot but be one: a letter, and more letters, digits and
// what names and paths have between them.
func word(s string) bool {
	for i, r := range s {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		inside := r >= '0' && r <= '9' || strings.ContainsRune("-/_", r)
		if !letter && (i == 0 || !inside) {
			return false
		}
	}
	return s != ""
}

// plain reports whether a string can be written without quotes, for readers of YAML 1.1
// as well.
func plain(s string) bool {
	switch strings.ToLower(s) {
	case "y", "n", "yes", "no", "on", "off", "true", "false", "null":
		return false
	}
	if word(s) {
		return true
	}
	var n yaml.Node
	if err := yaml.Unmarshal([]byte(s), &n); err != nil || len(n.Content) != 1 {
		return false
	}
	c := n.Content[0]
	return c.Kind == yaml.ScalarNode && c.Style == 0 && c.ShortTag() == "!!str" && c.Value == s && c.LineComment == "" && c.HeadComment == ""
}
