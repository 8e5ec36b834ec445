package document

import (
	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/internal/model"
	"github.com/inferstack/inferstack/schema"
)

// Root is the model of a document, and TypeGateway that of a gateway, for tests that render
// what they make of them.
var (
	Root        = root
	TypeGateway = &typeGateway
)

// LineEnds are the offsets at which the lines of a text end.
func LineEnds(data []byte) []int { return lineEnds(data) }

// PlainJSON is what JSON has of a document, or nil where that has no end.
func PlainJSON(n *yaml.Node) []byte {
	w := &walker{plain: true}
	if !inspect(&walker{}, &place{node: n}) {
		return nil
	}
	w.free(&place{node: n})
	return w.out
}

// Value reports whether a value is accepted where a type is asked for, and what is said.
func Value(t *model.Type, n *yaml.Node) (bool, schema.Problems) {
	w := &walker{}
	ok := w.value(t, &place{node: n})
	return ok, w.problems
}
