package schema

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/inferstack/inferstack/internal/untrusted"
)

// Severity says what a problem means for the run.
type Severity string

// The severities, as a KRM function's results spell them.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
	Info    Severity = "info"
)

// Problem is one thing that is wrong with a document, or worth saying about it.
type Problem struct {
	Severity     Severity
	File         string
	Line, Column int    // from 1; 0 when unknown
	Path         string // of the field, as spec.decode.replicas
	Message      string
	Value        any // what was found, never a secret
}

// String is file:line:column: path: message on one line, without the parts that are unknown
// and without what must not be printed.
func (p Problem) String() string {
	var b strings.Builder
	switch {
	case p.File != "" && p.Line > 0 && p.Column > 0:
		fmt.Fprintf(&b, "%s:%d:%d: ", untrusted.File(p.File), p.Line, p.Column)
	case p.File != "" && p.Line > 0:
		fmt.Fprintf(&b, "%s:%d: ", untrusted.File(p.File), p.Line)
	case p.File != "":
		b.WriteString(untrusted.File(p.File) + ": ")
	case p.Line > 0:
		fmt.Fprintf(&b, "line %d: ", p.Line)
	}
	if p.Path != "" {
		b.WriteString(untrusted.Line(p.Path) + ": ")
	}
	b.WriteString(untrusted.Line(p.Message))
	return b.String()
}

// Problems is a list of problems. It is an error for those who want one.
type Problems []Problem

// Error is one problem per line.
func (ps Problems) Error() string {
	lines := make([]string, len(ps))
	for i, p := range ps {
		lines[i] = p.String()
	}
	return strings.Join(lines, "\n")
}

// Errors are the problems that stop the run.
func (ps Problems) Errors() Problems { return ps.of(Error) }

// Warnings are the problems that do not.
func (ps Problems) Warnings() Problems { return ps.of(Warning) }

// withoutInfos drops what is only worth saying of a stack that can be made.
func (ps Problems) withoutInfos() Problems {
	return slices.DeleteFunc(slices.Clone(ps), func(p Problem) bool { return p.Severity == Info })
}

func (ps Problems) of(s Severity) Problems {
	var out Problems
	for _, p := range ps {
		if p.Severity == s {
			out = append(out, p)
		}
	}
	return out
}

// Sort orders by file, position and path; equal ones keep their order.
func (ps Problems) Sort() {
	slices.SortStableFunc(ps, func(a, b Problem) int {
		return cmp.Or(
			cmp.Compare(a.File, b.File),
			cmp.Compare(a.Line, b.Line),
			cmp.Compare(a.Column, b.Column),
			cmp.Compare(a.Path, b.Path),
		)
	})
}
