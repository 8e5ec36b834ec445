package document

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/schema"
)

// Document is one Kubernetes object of a file.
type Document struct {
	Node       *yaml.Node
	Source     schema.Source
	APIVersion string
	Kind       string
	Name       string
	Namespace  string
}

// IsStack reports whether the document is an InferenceStack, of any version.
func (d Document) IsStack() bool {
	group, _, _ := strings.Cut(d.APIVersion, "/")
	return d.Kind == schema.Kind && group == "inferstack.dev"
}

// Read splits a file into its objects. A kind: List is taken apart; empty
// documents are left out. What is before a syntax error is returned with it.
//
// Keys that stand twice are reported here for every object but an
// InferenceStack, which Parse handles.
func Read(file string, data []byte) ([]Document, schema.Problems) {
	r := &reader{src: schema.Source{File: file, Lines: true}}
	r.each(data, func(doc *yaml.Node) bool {
		r.document(doc)
		return true
	})
	return r.docs, r.problems
}

// ReadNodes is Read of what has been evaluated to nodes already, whose lines may be those of LineIn.
func ReadNodes(src schema.Source, roots []*yaml.Node) ([]Document, schema.Problems) {
	r := &reader{src: src}
	for _, root := range roots {
		r.document(root)
	}
	return r.docs, r.problems
}

// each visits the YAML documents of a file until one is the last to be looked at, or there
// is a syntax error.
func (r *reader) each(data []byte, visit func(doc *yaml.Node) bool) {
	if line, column, ok := invalid(data); ok {
		r.problem(line, column, "not UTF-8 text")
		return
	}
	data = JSONAsYAML(withoutMarks(data))
	dec := yaml.NewDecoder(bytes.NewReader(data))
	for {
		var doc yaml.Node
		err := decode(dec, &doc)
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			line, message := syntax(data, err)
			r.problem(line, 0, "not YAML: %s", message)
			return
		}
		if !visit(&doc) {
			return
		}
	}
}

type reader struct {
	src      schema.Source
	docs     []Document
	problems schema.Problems
}

func (r *reader) problem(line, column int, format string, args ...any) {
	r.problems = append(r.problems, schema.Problem{Severity: schema.Error, File: r.src.File, Line: line, Column: column, Message: fmt.Sprintf(format, args...)})
}

// document adds the object in a document, or those in its list.
func (r *reader) document(doc *yaml.Node) {
	n := resolve(doc)
	if n == nil || n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null" {
		return
	}
	if n.Kind != yaml.MappingNode {
		r.problem(n.Line, n.Column, "not a Kubernetes object: a mapping with apiVersion and kind is needed (got %s)", kindWords(n.Kind)) // not its text: it can be a file of another kind, such as a token
		return
	}
	d := Document{
		Node: n, Source: r.src,
		APIVersion: text(n, "apiVersion"), Kind: text(n, "kind"),
		Name: text(n, "metadata", "name"), Namespace: text(n, "metadata", "namespace"),
	}
	switch {
	case d.APIVersion == "v1" && d.Kind == "List":
		r.list(n)
		return
	case d.APIVersion == "" || d.Kind == "":
		r.problem(n.Line, n.Column, "not a Kubernetes object: apiVersion and kind are needed")
		return
	case !d.IsStack():
		w := &walker{src: r.src}
		inspectKeys(w, &place{node: n})
		r.problems = append(r.problems, w.problems...)
		if len(w.problems) > 0 {
			return
		}
	}
	r.docs = append(r.docs, d)
}

func (r *reader) list(n *yaml.Node) {
	at, ok := find(n, "items")
	items := resolve(at.node)
	if !ok || items.Kind != yaml.SequenceNode {
		r.problem(n.Line, n.Column, "a List without a list of items")
		return
	}
	for _, item := range items.Content {
		r.document(item)
	}
}

// text is the string at a path of keys, or "".
func text(n *yaml.Node, keys ...string) string {
	for _, k := range keys {
		at := (&place{node: n}).child(k)
		if at == nil {
			return ""
		}
		n = resolve(at.node)
	}
	if n == nil || n.Kind != yaml.ScalarNode || n.ShortTag() == "!!null" {
		return ""
	}
	return n.Value
}
