package document

import (
	"reflect"

	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/finding"
	"github.com/inferstack/inferstack/internal/lazyjson"
	"github.com/inferstack/inferstack/schema"
)

// Decode reads a document of another kind into a Go struct. It is as strict as
// Parse: a field that the struct does not have is an error with the name it was
// most likely meant to be, and everything wrong is reported at once. What is right
// is decoded in any case. An empty value counts as absent, as it does for
// Kubernetes and for Helm.
func Decode(d Document, into any) schema.Problems {
	w := &walker{src: d.Source, lenient: true}
	at := &place{node: d.Node}
	inspectKeys(w, at)
	if len(w.problems) == 0 && w.reflected(reflect.TypeOf(into).Elem(), at) || len(w.out) > 0 {
		if err := lazyjson.Decode(w.out, into); err != nil && len(w.problems) == 0 {
			w.problem(at, nil, "%v", err)
		}
	}
	w.problems.Sort()
	return w.problems
}

// JSON is a value in JSON, for what its types are known to be right. Void of meaning, such as a
// number that JSON cannot write, it is null.
func JSON(n *yaml.Node) []byte {
	w := &walker{plain: true}
	if !w.free(&place{node: n}) {
		return []byte("null")
	}
	return w.out
}

// Problem is a finding on the field at path, at its position or at that of the
// nearest field above it that was written.
func (d Document) Problem(sev schema.Severity, path, format string, args ...any) schema.Problem {
	p := finding.New(sev, path, format, args...)
	p.File = d.Source.File
	if d.Source.Lines && d.Node != nil {
		at, _ := find(d.Node, path)
		p.Line, p.Column = at.position()
		p.File, p.Line = d.Source.At(p.Line)
	}
	return p
}

// At is the value written at path, or nil.
func (d Document) At(path string) *yaml.Node {
	if d.Node == nil {
		return nil
	}
	at, ok := find(d.Node, path)
	if n := resolve(at.node); ok && n != nil && !null(n) {
		return n
	}
	return nil
}

// Has reports whether the document says anything at path.
func (d Document) Has(path string) bool { return d.At(path) != nil }

func null(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null" }
