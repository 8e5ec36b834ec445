package convert

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/convert/draft"
	"github.com/inferstack/inferstack/finding"
	"github.com/inferstack/inferstack/schema"
	"github.com/inferstack/inferstack/schema/document"
)

// effectless finds what documents say to no effect: each value is changed in turn, and
// what becomes of the documents compared. That holds for every field in every
// combination, as the settings of something that is turned off, with no list of them.
// again is what becomes of the documents as they stand.
func effectless(docs []document.Document, said schema.Problems, again func() string) (out schema.Problems) {
	s := &search{before: again(), again: again, left: mostWork}
	for _, doc := range docs {
		s.size += size(doc.Node)
	}
	for _, doc := range docs {
		s.heard = heardOf(doc, said)
		for _, path := range s.sections(doc) {
			idle := doc.Problem(schema.Info, path, "left out: it has no effect on the stack")
			idle.Kind = finding.NoEffect
			out = append(out, idle)
		}
		if s.left < 0 {
			return append(out, doc.Problem(schema.Info, "", "too large to try every value: from here on, values without an effect are not listed"))
		}
	}
	return out
}

// mostWork bounds the search, whose work grows with the square of a document: a try costs
// as much as converting all values once. Of this many values it takes about two seconds;
// the default values of three charts together need a fifth of it.
const mostWork = 2_000_000

// heardOf says of a field of a document whether there is a remark on it: on the field itself
// or, since a list has its remarks in one place, on the list that holds it. One on all of
// spec says nothing of its fields, and one on a section has to dismiss it: any other, as on
// how the section is carried over, leaves open what in it has an effect.
func heardOf(doc document.Document, said schema.Problems) func(path string, n *yaml.Node) bool {
	remarks := map[string]bool{} // by path, whether one of them dismisses it
	for _, p := range said {
		at := doc.Problem(p.Severity, p.Path, "")
		if p.Path != "spec" && p.File == at.File && p.Line == at.Line && p.Column == at.Column {
			remarks[p.Path] = remarks[p.Path] || p.Kind.Dismisses()
		}
	}
	return func(path string, n *yaml.Node) bool {
		list, _, _ := strings.Cut(path, "[")
		section := n.Kind == yaml.MappingNode
		for _, at := range []string{path, list} {
			if dismisses, ok := remarks[at]; ok && (dismisses || !section) {
				return true
			}
		}
		return false
	}
}

// A search tries the values of documents. What is heard of in a remark need not be
// tried.
type search struct {
	before string
	again  func() string
	heard  func(path string, n *yaml.Node) bool
	size   int // of all documents, in nodes
	left   int // nodes that may still be converted
}

// same reports whether the documents as they are now become what they became before. When
// too much has been tried, nothing is the same any more.
func (s *search) same() bool {
	if s.left < 0 {
		return false
	}
	s.left -= s.size
	return s.again() == s.before
}

// size counts the nodes of a tree; what aliases stand for counts once.
func size(n *yaml.Node) int {
	sum := 1
	for _, c := range n.Content {
		sum += size(c)
	}
	return sum
}

// sections are the parts of a document that have no effect as a whole.
func (s *search) sections(doc document.Document) (out []string) {
	for _, f := range fields(doc.Node) {
		switch f.name {
		case "apiVersion", "kind", "status":
			continue
		case "metadata":
			out = append(out, s.metadata(f.value)...)
			continue
		}
		paths, all := s.try(f.value, f.name)
		if all && f.name != "spec" {
			paths = []string{f.name}
		}
		out = append(out, paths...)
	}
	return out
}

// metadata is what users write there besides names; tools write some annotations.
func (s *search) metadata(n *yaml.Node) (out []string) {
	for _, f := range fields(n) {
		if f.name != "labels" && f.name != "annotations" {
			continue
		}
		for _, entry := range fields(f.value) {
			if path := joined("metadata."+f.name, entry); !draft.ToolAnnotation(entry.name) {
				paths, _ := s.try(entry.value, path)
				out = append(out, paths...)
			}
		}
	}
	return out
}

// try lists the parts of a value without an effect, and reports whether that is all of it.
// A value that says nothing has none to miss.
func (s *search) try(n *yaml.Node, path string) (without []string, all bool) {
	if s.left < 0 || s.heard(path, n) || saysNothing(n) {
		return nil, false
	}
	if n.Kind == yaml.ScalarNode {
		if s.matters(n) {
			return nil, false
		}
		return []string{path}, true
	}
	if s.idle(n, path) {
		return []string{path}, true
	}
	all = true
	for _, f := range fields(n) {
		at := joined(path, f)
		paths, whole := s.try(f.value, at)
		if whole {
			paths = []string{at}
		}
		without = append(without, paths...)
		all = all && (whole || saysNothing(f.value))
	}
	return without, all && len(without) > 0
}

// idle reports whether a section as a whole has no effect, and nothing of it is heard of.
func (s *search) idle(n *yaml.Node, path string) bool {
	var all []*yaml.Node
	ok := s.scalars(n, path, &all)
	if !ok || len(all) < 2 {
		return false
	}
	was := make([]string, len(all))
	for i, leaf := range all {
		was[i] = leaf.Value
		leaf.Value = another(leaf)
	}
	same := s.same()
	for i, leaf := range all {
		leaf.Value = was[i]
	}
	return same
}

// scalars collects the values of a section, unless some are heard of.
func (s *search) scalars(n *yaml.Node, path string, into *[]*yaml.Node) bool {
	if s.heard(path, n) {
		return false
	}
	if n.Kind == yaml.ScalarNode && n.ShortTag() != "!!null" {
		*into = append(*into, n)
	}
	for _, f := range fields(n) {
		if !s.scalars(f.value, joined(path, f), into) {
			return false
		}
	}
	return n.Kind != yaml.AliasNode
}

// saysNothing is so of null and of an empty list or mapping.
func saysNothing(n *yaml.Node) bool {
	if n.Kind == yaml.ScalarNode {
		return n.ShortTag() == "!!null"
	}
	return n.Kind != yaml.AliasNode && len(n.Content) == 0
}

// matters changes a value and looks for a difference.
func (s *search) matters(n *yaml.Node) bool {
	was := n.Value
	defer func() { n.Value = was }()
	n.Value = another(n)
	return !s.same()
}
