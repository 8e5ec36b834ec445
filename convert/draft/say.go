package draft

import (
	"fmt"
	"slices"
	"strings"

	"github.com/inferstack/inferstack/finding"
	"github.com/inferstack/inferstack/internal/lists"
	"github.com/inferstack/inferstack/schema"
)

// Spot is a field of the stack and the field of the document that it came from;
// either may be unknown.
type Spot struct {
	part       *Part
	path, from string
	kind       finding.Kind
}

// On is the spot to remark on.
func (p *Part) On(path, from string) Spot { return Spot{p, path, from, finding.Changed} }

// Dropped is the spot of a field that is left out.
func (s Spot) Dropped() Spot { s.kind = finding.Lost; return s }

// Replaced is the spot of a field in whose place the release catalogue or a default stands.
func (s Spot) Replaced() Spot { s.kind = finding.Defaulted; return s }

// Note says what was changed on the way and why.
func (s Spot) Note(format string, args ...any) { s.say(schema.Info, format, args...) }

// Warn says what the user should look at.
func (s Spot) Warn(format string, args ...any) { s.say(schema.Warning, format, args...) }

// Fail says what keeps the document from being converted.
func (s Spot) Fail(format string, args ...any) { s.say(schema.Error, format, args...) }

func (s Spot) say(sev schema.Severity, format string, args ...any) {
	p := s.part
	text := fmt.Sprintf(format, args...)
	doc, from := p.where(s.from)
	problem := doc.Problem(sev, from, "%s", text)
	problem.Kind = s.kind
	if slices.ContainsFunc(p.Problems, problem.Same) {
		return // of two roles, one remark
	}
	p.Problems = append(p.Problems, problem)
	if sev != schema.Error {
		p.notes = append(p.notes, note{s.path, text})
	}
}

// Lost says that a field cannot be carried over: an error, unless the user accepts
// losses.
func (p *Part) Lost(from, format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if p.Lossy {
		_, said := p.where(from)
		p.On("", from).Dropped().Warn("%s is lost: %s", said, text)
		return
	}
	p.On("", from).Dropped().Fail("cannot be carried over: %s; remove it, or convert with --lossy to leave it out", text)
}

// Unless is the value, or fallback for the zero value.
func Unless[T comparable](value, fallback T) T {
	var zero T
	if value == zero {
		return fallback
	}
	return value
}

// Listed are the entries of a text that has commas between them.
func Listed(text string) []any {
	return lists.Map(strings.Split(text, ","), func(entry string) any { return strings.TrimSpace(entry) })
}
