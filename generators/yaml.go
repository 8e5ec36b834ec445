package generators

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"go.yaml.in/yaml/v3"
)

// Node returns the object as a YAML tree, without what only a live object has. The
// keys are in the order of the API's Go types, and apiVersion is the first.
func Node(o Object) *yaml.Node {
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(o); err != nil {
		panic(fmt.Sprintf("generators: %T %s does not marshal: %v", o, o.GetName(), err)) // only our own types get here
	}
	tree := &jsonTree{text: text.Bytes()}
	n := tree.value(0)
	if len(n.Content) >= 4 && n.Content[2].Value == "apiVersion" { // metav1.TypeMeta has kind first
		n.Content[0], n.Content[1], n.Content[2], n.Content[3] = n.Content[2], n.Content[3], n.Content[0], n.Content[1]
	}
	return n
}

// WriteYAML writes the objects as YAML documents, in their order. Each gets an encoder of
// its own, because an encoder keeps all that it has ever written (go.yaml.in/yaml v3.0.5
// emitterc.go, yaml_emitter_emit): one for all costs more memory and time than the rest of
// the program.
func WriteYAML(w io.Writer, objects []Object) error {
	for i, o := range objects {
		if i > 0 {
			if _, err := io.WriteString(w, "---\n"); err != nil {
				return err
			}
		}
		enc := yaml.NewEncoder(w)
		enc.SetIndent(2)
		enc.CompactSeqIndent()
		if err := errors.Join(enc.Encode(Node(o)), enc.Close()); err != nil {
			return err
		}
	}
	return nil
}

// WriteJSON writes the objects as one v1 List, which kubectl and Argo CD read.
func WriteJSON(w io.Writer, objects []Object) error {
	items := make([]json.RawMessage, len(objects))
	for i, o := range objects {
		items[i] = appendJSON(nil, Node(o))
	}
	list := struct {
		APIVersion string            `json:"apiVersion"`
		Kind       string            `json:"kind"`
		Items      []json.RawMessage `json:"items"`
	}{"v1", "List", items}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(list)
}

// appendJSON writes a tree that Node has made.
func appendJSON(out []byte, n *yaml.Node) []byte {
	switch {
	case n.Kind == yaml.MappingNode:
		out = append(out, '{')
		for i := 0; i < len(n.Content); i += 2 {
			if i > 0 {
				out = append(out, ',')
			}
			out = append(appendQuoted(out, n.Content[i].Value), ':')
			out = appendJSON(out, n.Content[i+1])
		}
		return append(out, '}')
	case n.Kind == yaml.SequenceNode:
		out = append(out, '[')
		for i, item := range n.Content {
			if i > 0 {
				out = append(out, ',')
			}
			out = appendJSON(out, item)
		}
		return append(out, ']')
	case n.Tag == tagString:
		return appendQuoted(out, n.Value)
	default:
		return append(out, n.Value...)
	}
}

func appendQuoted(out []byte, s string) []byte {
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s) // a string cannot fail
	return append(out, bytes.TrimSuffix(text.Bytes(), []byte("\n"))...)
}
