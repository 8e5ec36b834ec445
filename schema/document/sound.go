package document

import (
	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/schema"
)

// Sound says what is wrong with a document before anybody decodes it: that it is endless
// or far too large, that a mapping has too many keys or one key twice. To decode such a
// document costs time and memory out of all proportion, since the YAML library compares
// each key of a mapping with all others and has a message for each pair that is equal.
func Sound(n *yaml.Node) error {
	if problems := Unsound(schema.Source{}, n); len(problems) > 0 {
		return problems[:1]
	}
	return nil
}

// Unsound is all that Sound finds in a part of a file, with positions.
func Unsound(src schema.Source, n *yaml.Node) schema.Problems {
	w := &walker{src: src}
	inspectKeys(w, &place{node: n})
	return w.problems
}
