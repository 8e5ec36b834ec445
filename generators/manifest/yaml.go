package manifest

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/internal/parallel"
)

// WriteYAML writes the objects as YAML documents, in their order. Each gets an encoder of
// its own, because an encoder keeps all that it has ever written (go.yaml.in/yaml v3.0.5
// emitterc.go, yaml_emitter_emit): one for all costs more memory and time than the rest of
// the program.
func WriteYAML(w io.Writer, objects []Manifest) error {
	first := true
	for part := range slices.Chunk(objects, mostEncoded) {
		for _, text := range parallel.Map(len(part), func(i int) encoded { return encode(part[i]) }) {
			if !first {
				if _, err := io.WriteString(w, "---\n"); err != nil {
					return err
				}
			}
			first = false
			if text.err != nil {
				return text.err
			}
			if _, err := w.Write(text.yaml); err != nil {
				return err
			}
		}
	}
	return nil
}

// mostEncoded is how many objects are held as text at a time.
const mostEncoded = 32

// encoded is the text of an object.
type encoded struct {
	yaml []byte
	err  error
}

func encode(o Manifest) encoded {
	var out bytes.Buffer
	enc := yaml.NewEncoder(&out)
	enc.SetIndent(2)
	enc.CompactSeqIndent()
	err := errors.Join(enc.Encode(o.Node()), enc.Close())
	return encoded{out.Bytes(), err}
}

// WriteJSON writes the objects as one v1 List, which kubectl and Argo CD read.
func WriteJSON(w io.Writer, objects []Manifest) error {
	list := struct {
		APIVersion string     `json:"apiVersion"`
		Kind       string     `json:"kind"`
		Items      []Manifest `json:"items"`
	}{"v1", "List", append([]Manifest{}, objects...)} // never null
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
