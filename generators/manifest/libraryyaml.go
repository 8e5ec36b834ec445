package manifest

import (
	"bytes"
	"errors"

	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/internal/blockyaml"
)

// AppendYAML appends a tree of block mappings and sequences as go.yaml.in/yaml v3 writes it with
// an indentation of 2 and compact sequences. Its strings are made by Text. A tree with a scalar that is
// rare in manifests is left to the library.
func AppendYAML(out []byte, n *yaml.Node) []byte {
	if text, ok := (blockyaml.Writer{}).Append(out, n); ok {
		return text
	}
	return append(out, libraryYAML(n)...)
}

func libraryYAML(n *yaml.Node) []byte {
	var out bytes.Buffer
	enc := yaml.NewEncoder(&out)
	enc.SetIndent(2)
	enc.CompactSeqIndent()
	check(errors.Join(enc.Encode(n), enc.Close()))
	return out.Bytes()
}
