package draft

import (
	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/schema/document"
)

// An alias says where a rearranged document has what the user's own has elsewhere.
type alias struct {
	doc  document.Document
	path func(string) string
}

// As makes all that is said about the part's document be said about the user's own, in
// which path finds the fields.
func (p *Part) As(doc document.Document, path func(string) string) *Part {
	return &Part{Draft: p.Draft, Doc: p.Doc, said: &alias{doc, path}}
}

// where is the user's document, and a field in it.
func (p *Part) where(from string) (document.Document, string) {
	if p.said == nil {
		return p.Doc, from
	}
	return p.said.doc, p.said.path(from)
}

// A Sheet is a document in the making, out of the nodes of another.
type Sheet struct{ Root *yaml.Node }

// Sheet starts an empty one.
func (d *Draft) Sheet() *Sheet { return &Sheet{Root: &yaml.Node{Kind: yaml.MappingNode}} }

// Move puts a node at a path; nil is nothing.
func (s *Sheet) Move(n *yaml.Node, path string) {
	if n != nil {
		(&Draft{root: s.Root}).put(path, n)
	}
}
