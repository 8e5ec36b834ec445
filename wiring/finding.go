package wiring

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/inferstack/inferstack/internal/untrusted"
)

// Severity says what a finding means.
type Severity string

const (
	// Error is something that cannot work.
	Error Severity = "error"
	// Warning is something that works, but not as it seems to be meant, or not for long.
	Warning Severity = "warning"
	// Info is worth knowing, such as what must already exist.
	Info Severity = "info"
)

// A Finding is something that a rule found.
type Finding struct {
	Severity Severity `json:"severity"`
	// Rule is the id of the rule.
	Rule string `json:"rule"`
	// From is the object it is about, To the one it refers to, if any.
	From Ref `json:"from"`
	To   Ref `json:"to,omitzero"`
	// Message says why it breaks, Remedy how to fix it.
	Message string `json:"message"`
	Remedy  string `json:"remedy,omitempty"`
	// File and Line where From says so.
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"`
	// Column is known of what the YAML itself has wrong.
	Column int `json:"column,omitempty"`
	// Silenced is the reason for which the object silences the rule.
	Silenced string `json:"silenced,omitempty"`
}

// subject is who it is about and the message; a file that cannot be read has no object.
func (f Finding) subject() string {
	if f.From == (Ref{}) {
		return f.Message
	}
	return f.From.String() + ": " + f.Message
}

// String is the finding on one line, and its remedy on another.
func (f Finding) String() string {
	var where string
	switch {
	case f.File != "" && f.Column > 0:
		where = fmt.Sprintf("%s:%d:%d: ", untrusted.File(f.File), f.Line, f.Column)
	case f.File != "" && f.Line > 0:
		where = fmt.Sprintf("%s:%d: ", untrusted.File(f.File), f.Line)
	case f.File != "":
		where = untrusted.File(f.File) + ": "
	}
	text := fmt.Sprintf("%s%s: %s [%s]", where, f.Severity, untrusted.Line(f.subject()), f.Rule)
	if f.Remedy != "" {
		text += "\n    " + untrusted.Line(f.Remedy)
	}
	return text
}

// order puts findings as they stand in the files.
func order(findings []Finding) {
	slices.SortStableFunc(findings, func(a, b Finding) int {
		return cmp.Or(
			strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line),
			strings.Compare(a.From.String(), b.From.String()),
			strings.Compare(a.Rule, b.Rule), strings.Compare(a.Message, b.Message),
		)
	})
}

// Failed reports whether an error is among the findings that are not silenced.
func Failed(findings []Finding) bool {
	return slices.ContainsFunc(findings, func(f Finding) bool { return f.Severity == Error && f.Silenced == "" })
}

// heard are the findings that are not silenced.
func heard(findings []Finding) []Finding {
	var out []Finding
	for _, f := range findings {
		if f.Silenced == "" {
			out = append(out, f)
		}
	}
	return out
}

// Redacted are the findings without the secrets in them, for whoever prints them.
func Redacted(findings []Finding) []Finding {
	out := slices.Clone(findings)
	for i := range out {
		f := &out[i]
		for _, text := range []*string{&f.Message, &f.Remedy, &f.From.Name, &f.To.Name, &f.File, &f.Silenced} {
			*text = untrusted.Redact(*text)
		}
	}
	return out
}
