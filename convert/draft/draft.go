// Package draft builds an InferenceStack field by field out of the documents of
// other systems. It remembers for every field which document and field it came
// from, so that whatever is found wrong with the stack later is said about the
// user's own file, and it turns every remark into a comment and a result. It knows
// no system.
package draft

import (
	"fmt"

	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/schema"
	"github.com/inferstack/inferstack/schema/document"
)

// Draft is an InferenceStack in the making.
type Draft struct {
	Lossy    bool // what cannot be carried over is a warning instead of an error
	NoStack  bool // the document is not a stack by itself; the draft only collects problems
	Problems schema.Problems
	// Relocate says where a problem is in the files that the user named, when those were
	// put together; nil when they were not.
	Relocate func(schema.Problem) schema.Problem
	// Remedies say by path what the user can do about a field of the stack that is not from a file.
	Remedies map[string]string

	root    *yaml.Node
	primary document.Document
	origins map[string]origin // by field of the stack
	notes   []note
}

// An origin is the field that a field of the stack came from.
type origin struct {
	doc  document.Document
	path string
	near bool // not what became the field, but where the field has its reason
}

// A note is a comment on a field of the stack; on no field, it heads the document.
type note struct{ path, text string }

// New starts a stack with the name and namespace of a document.
func New(doc document.Document, lossy bool) *Draft {
	d := &Draft{Lossy: lossy, primary: doc, origins: map[string]origin{}, root: &yaml.Node{Kind: yaml.MappingNode}}
	p := d.Part(doc)
	p.Set("apiVersion", schema.APIVersion, "apiVersion")
	p.Set("kind", schema.Kind, "kind")
	p.Set("metadata.name", doc.Name, "metadata.name")
	if doc.Namespace != "" {
		p.Set("metadata.namespace", doc.Namespace, "metadata.namespace")
	}
	return d
}

// Part is the draft as one of its documents writes it.
type Part struct {
	*Draft
	Doc  document.Document
	said *alias
}

// Part returns the draft as doc writes it.
func (d *Draft) Part(doc document.Document) *Part { return &Part{Draft: d, Doc: doc} }

// Set writes a field; from is the field of the document that it came from, or "".
func (p *Part) Set(path string, value any, from string) {
	p.put(path, node(value))
	if from != "" {
		p.From(path, from)
	}
}

// From says which field of the document a part of what was set came from.
func (p *Part) From(path, from string) {
	doc, from := p.where(from)
	p.origins[path] = origin{doc: doc, path: from}
}

// Near says which field of the document is to be looked at when something is wrong with
// a part of the stack that no field became.
func (p *Part) Near(path, from string) {
	if _, known := p.origins[path]; !known && p.Doc.Has(from) {
		doc, from := p.where(from)
		p.origins[path] = origin{doc, from, true}
	}
}

// Append adds to a list.
func (p *Part) Append(path string, value any, from string) {
	n := 0
	if list := p.Get(path); list != nil {
		n = len(list.Content)
	}
	p.Set(fmt.Sprintf("%s[%d]", path, n), value, from)
}

// Copy takes a field over when the document has it, and reports whether it does. An empty
// list or mapping says nothing.
func (p *Part) Copy(path, from string) bool {
	n := p.Doc.At(from)
	if n == nil || n.Kind != yaml.ScalarNode && len(n.Content) == 0 {
		return false
	}
	p.Set(path, n, from)
	return true
}

// Get is the value at a field of the stack, or nil.
func (d *Draft) Get(path string) *yaml.Node {
	n := d.root
	for _, step := range steps(path) {
		if n = child(n, step); n == nil {
			return nil
		}
	}
	return n
}

// Text is the scalar at a field of the stack, or "".
func (d *Draft) Text(path string) string {
	if n := d.Get(path); n != nil && n.Kind == yaml.ScalarNode {
		return n.Value
	}
	return ""
}

// Has reports whether a field of the stack is written.
func (d *Draft) Has(path string) bool { return d.Get(path) != nil }

// put writes a node, and the mappings on the way to it.
func (d *Draft) put(path string, value *yaml.Node) {
	n := d.root
	all := steps(path)
	for i, step := range all {
		next := child(n, step)
		if i == len(all)-1 {
			replace(n, step, value)
			return
		}
		if next == nil {
			next = &yaml.Node{Kind: yaml.MappingNode}
			replace(n, step, next)
		}
		n = next
	}
}
