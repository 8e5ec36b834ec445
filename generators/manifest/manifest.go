// Package manifest writes Kubernetes objects as YAML and JSON, for people and for every
// YAML reader: keys in the order of the API, nothing that nobody asked for, and quotes
// around what some reader would not take for text.
package manifest

import (
	"bytes"

	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/internal/lazyjson"
)

// A Manifest is an object as it will be applied: who it is, and its text. What is made
// of many stacks is kept as text, because the Go types of an object take several times
// the memory and are full of pointers, which the garbage collector follows again and again.
type Manifest struct {
	ID   ID
	json []byte
}

// Of returns the object's text. It panics on an object that does not marshal,
// which no generator makes.
func Of(o Object) Manifest { return List([]Object{o})[0] }

// List is Of for each of the objects.
func List(objects []Object) []Manifest {
	out := make([]Manifest, len(objects))
	var text []byte
	for i, o := range objects {
		text = lazyjson.Append(text[:0], o)
		out[i] = Manifest{IDOf(o), bytes.Clone(text)} // what is kept is no longer than it is
	}
	return out
}

// Node returns a YAML tree of the object, without what only a live object has. The keys
// are in the order of the API's Go types, and apiVersion is the first.
func (m Manifest) Node() *yaml.Node {
	tree := &jsonTree{text: m.json}
	n := tree.value(0)
	if len(n.Content) >= 4 && n.Content[2].Value == "apiVersion" { // metav1.TypeMeta has kind first
		n.Content[0], n.Content[1], n.Content[2], n.Content[3] = n.Content[2], n.Content[3], n.Content[0], n.Content[1]
	}
	return n
}

// MarshalJSON is the object in one line, with what Node has; there is no error.
func (m Manifest) MarshalJSON() ([]byte, error) { return appendJSON(nil, m.Node()), nil }

// Equal reports whether two manifests have the same text.
func (m Manifest) Equal(other Manifest) bool { return bytes.Equal(m.json, other.json) }

// Contains reports whether a text stands anywhere in the object. It has no characters that JSON
// escapes.
func (m Manifest) Contains(text string) bool { return bytes.Contains(m.json, []byte(text)) }
