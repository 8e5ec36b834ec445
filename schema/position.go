package schema

import (
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/finding"
	"github.com/inferstack/inferstack/internal/untrusted"
)

// Source says where a document was read. Lines is false when the positions of
// its nodes are not positions in that file, as inside a ResourceList.
type Source struct {
	File  string
	Lines bool
	// Files are those of a document that is written in several; lines of its nodes are then those
	// of LineIn.
	Files []string
}

// fileBits are more than the lines of a file take.
const fileBits = 24

// LineIn is a line of one of the files of a Source.
func LineIn(file, line int) int { return file<<fileBits | line }

// At is the file of a node's line, and the line in it.
func (s Source) At(line int) (string, int) {
	if file := line >> fileBits; file < len(s.Files) {
		return s.Files[file], line & (1<<fileBits - 1)
	}
	return s.File, line
}

// An origin ties a Stack to the document it was read from.
type origin struct {
	src  Source
	root *yaml.Node
	// sections are kept, since those of variants are made.
	sections []section
}

// Problem is a finding on the field at path, at its position or at that of the
// nearest field above it that was written.
func (s *Stack) Problem(sev Severity, path, format string, args ...any) Problem {
	p := finding.New(sev, path, format, args...)
	if s.origin == nil {
		return p
	}
	p.File = s.origin.src.File
	if s.origin.src.Lines {
		at, _ := find(s.origin.root, path)
		p.Line, p.Column = at.position()
		p.File, p.Line = s.origin.src.At(p.Line)
	}
	return p
}

// Has reports whether the user wrote the field at path.
func (s *Stack) Has(path string) bool {
	if s.origin == nil {
		return false
	}
	_, ok := find(s.origin.root, path)
	return ok
}

// Source says where the stack was read.
func (s *Stack) Source() Source {
	if s.origin == nil {
		return Source{}
	}
	return s.origin.src
}

// A place is a node and the way to it.
type place struct {
	up    *place
	name  string // in a mapping
	index int    // in a list, when name is empty
	key   *yaml.Node
	node  *yaml.Node // nil when nothing is written there
}

// path is the place in words: spec.route.matches[0].labels[a.b/c].
func (p *place) path() string {
	if p == nil || p.up == nil {
		return ""
	}
	return join(p.up.path(), p.name, p.index)
}

func join(up, name string, index int) string {
	switch {
	case name == "" && index >= 0:
		return up + "[" + strconv.Itoa(index) + "]"
	case !plainName(name):
		return up + "[" + untrusted.Redact(name) + "]"
	case up == "":
		return name
	}
	return up + "." + name
}

// plainName reports whether a key can follow a dot in a path.
func plainName(s string) bool {
	for i, r := range s {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '_' || r == '$'
		if !letter && (i == 0 || r != '-' && (r < '0' || r > '9')) {
			return false
		}
	}
	return s != "" && len(s) < 64
}

// position is where the value stands when it begins on the line of its key, else
// where the key stands: a block mapping begins at its own first key.
func (p *place) position() (line, column int) {
	for ; p != nil; p = p.up {
		v := resolve(p.node)
		switch {
		case p.key == nil && v != nil, v != nil && written(v) && (v.Kind == yaml.ScalarNode || v.Line == p.key.Line):
			return v.Line, v.Column
		case p.key != nil:
			return p.key.Line, p.key.Column
		}
	}
	return 0, 0
}

// written is false for the null that an empty value stands for.
func written(n *yaml.Node) bool {
	return n.Kind != yaml.ScalarNode || n.Value != "" || n.Style != 0
}

// resolve follows aliases and steps into a document.
func resolve(n *yaml.Node) *yaml.Node {
	for range maxDepth {
		switch {
		case n == nil:
			return nil
		case n.Kind == yaml.AliasNode:
			n = n.Alias
		case n.Kind == yaml.DocumentNode && len(n.Content) == 1:
			n = n.Content[0]
		default:
			return n
		}
	}
	return n
}

// find walks a path; when it ends early, the last place that is there.
func find(root *yaml.Node, path string) (*place, bool) {
	at := &place{node: root}
	for _, step := range steps(path) {
		next := at.child(step)
		if next == nil {
			return at, false
		}
		at = next
	}
	return at, true
}

// child is the place one step further in, or nil.
func (p *place) child(step string) *place {
	n := resolve(p.node)
	if n == nil {
		return nil
	}
	if n.Kind == yaml.SequenceNode {
		i, err := strconv.Atoi(step)
		if err != nil || i < 0 || i >= len(n.Content) {
			return nil
		}
		return &place{up: p, index: i, node: n.Content[i]}
	}
	for _, f := range pairs(n) {
		if f.key.Value == step {
			return &place{up: p, name: step, index: -1, key: f.key, node: f.value}
		}
	}
	return nil
}

// steps splits a path at its dots and brackets.
func steps(path string) []string {
	var out []string
	for path != "" {
		if path[0] == '[' {
			name, rest, _ := strings.Cut(path[1:], "]")
			out, path = append(out, name), strings.TrimPrefix(rest, ".")
			continue
		}
		i := strings.IndexAny(path, ".[")
		if i < 0 {
			return append(out, path)
		}
		out = append(out, path[:i])
		path = strings.TrimPrefix(path[i:], ".")
	}
	return out
}

// Steps splits the path of a field into the names and indices that it is made of.
func Steps(path string) []string { return steps(path) }
