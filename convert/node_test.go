package convert

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

func copyNode(t *testing.T, n *yaml.Node) *yaml.Node {
	t.Helper()
	var doc yaml.Node
	if err := yaml.Unmarshal(text(t, n), &doc); err != nil {
		t.Fatal(err)
	}
	return doc.Content[0]
}

func text(t *testing.T, n *yaml.Node) []byte {
	t.Helper()
	data, err := yaml.Marshal(n)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// value is a node as plain data, numbers as JSON has them.
func value(t *testing.T, n *yaml.Node) any {
	t.Helper()
	var v any
	if err := n.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return plainJSON(t, v)
}

func plainJSON(t *testing.T, v any) any {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var out any
	if err := json.Unmarshal(data, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// find is the value of a key or at an index.
func find(n *yaml.Node, step string) *yaml.Node {
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

// setField writes a field; a number in the path is an item of a list, which is made
// when it is the next one.
func setField(n *yaml.Node, path []string, value *yaml.Node) {
	next := find(n, path[0])
	if len(path) == 1 || next == nil {
		add := value
		if len(path) > 1 {
			add = &yaml.Node{Kind: yaml.MappingNode}
			if _, err := strconv.Atoi(path[1]); err == nil {
				add.Kind = yaml.SequenceNode
			}
		}
		switch {
		case next != nil:
			*next = *add
		case n.Kind == yaml.SequenceNode:
			n.Content = append(n.Content, add)
		default:
			n.Content = append(n.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: path[0]}, add)
		}
		next = add
	}
	if len(path) > 1 {
		setField(next, path[1:], value)
	}
}

// overlay lays a mapping over another.
func overlay(n, over *yaml.Node) {
	for i := 0; i+1 < len(over.Content); i += 2 {
		key, value := over.Content[i].Value, over.Content[i+1]
		if strings.Contains(key, "[") { // a path through a list
			setField(n, strings.Split(strings.NewReplacer("[", ".", "]", "").Replace(key), "."), value)
			continue
		}
		if mine := find(n, key); mine != nil && mine.Kind == yaml.MappingNode && value.Kind == yaml.MappingNode {
			overlay(mine, value)
			continue
		}
		setField(n, []string{key}, value)
	}
}
