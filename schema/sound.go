package schema

import "go.yaml.in/yaml/v3"

// Sound says what is wrong with a document before anybody decodes it: that it is endless
// or far too large, that a mapping has too many keys or one key twice. To decode such a
// document costs time and memory out of all proportion, since the YAML library compares
// each key of a mapping with all others and has a message for each pair that is equal.
func Sound(n *yaml.Node) error {
	w := &walker{}
	inspectKeys(w, &place{node: n})
	if len(w.problems) == 0 {
		return nil
	}
	return w.problems[:1]
}
