package manifest

import (
	"io"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/internal/lazyjson"
	"github.com/inferstack/inferstack/internal/parallel"
)

// WriteYAML writes the objects as YAML documents, in their order.
func WriteYAML(w io.Writer, objects []Manifest) error {
	separator := ""
	for part := range slices.Chunk(objects, mostHeld) {
		for _, text := range parallel.Map(len(part), func(i int) []byte { return AppendYAML(nil, part[i].Node()) }) {
			if _, err := io.WriteString(w, separator); err != nil {
				return err
			}
			if _, err := w.Write(text); err != nil {
				return err
			}
			separator = "---\n"
		}
	}
	return nil
}

// mostHeld is how many objects are held as text at a time.
const mostHeld = 32

// WriteJSON writes the objects as one v1 List, which kubectl and Argo CD read.
func WriteJSON(w io.Writer, objects []Manifest) error {
	list := struct {
		APIVersion string     `json:"apiVersion"`
		Kind       string     `json:"kind"`
		Items      []Manifest `json:"items"`
	}{"v1", "List", append([]Manifest{}, objects...)} // never null
	return lazyjson.NewEncoder(w, "  ").Encode(list)
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
			out = append(lazyjson.AppendString(out, n.Content[i].Value), ':')
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
		return lazyjson.AppendString(out, n.Value)
	default:
		return append(out, n.Value...)
	}
}
