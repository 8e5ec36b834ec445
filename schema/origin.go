package schema

import "github.com/inferstack/inferstack/finding"

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

// An Origin is the document that a stack was read from.
type Origin interface {
	// Source says where it was read.
	Source() Source
	// Position is that of the field at path, or of the nearest field above it that was written.
	Position(path string) (line, column int)
	// Has reports whether the field at path was written.
	Has(path string) bool
}

// An origin ties a Stack to its document. The workloads are kept, since the roles of variants are made.
type origin struct {
	Origin
	workloads []Workload
}

// ReadFrom ties the stack to the document that it was read from. From then on a role of
// Workloads is always the same pointer.
func (s *Stack) ReadFrom(o Origin) {
	s.origin = &origin{Origin: o}
	s.origin.workloads = s.Workloads()
}

// Problem is a finding on the field at path, at its position or at that of the
// nearest field above it that was written.
func (s *Stack) Problem(sev Severity, path, format string, args ...any) Problem {
	p := finding.New(sev, path, format, args...)
	if s.origin == nil {
		return p
	}
	src := s.origin.Source()
	p.File = src.File
	if src.Lines {
		p.Line, p.Column = s.origin.Position(path)
		p.File, p.Line = src.At(p.Line)
	}
	return p
}

// Has reports whether the user wrote the field at path.
func (s *Stack) Has(path string) bool { return s.origin != nil && s.origin.Has(path) }

// Source says where the stack was read.
func (s *Stack) Source() Source {
	if s.origin == nil {
		return Source{}
	}
	return s.origin.Source()
}
