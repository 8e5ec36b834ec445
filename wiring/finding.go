package wiring

import (
	"cmp"
	"slices"
	"strings"

	"github.com/inferstack/inferstack/finding"
	"github.com/inferstack/inferstack/internal/untrusted"
)

// A Finding is something that a rule found, a Ref the object that it is about.
type (
	Severity = finding.Severity
	Finding  = finding.Finding
	Ref      = finding.Ref
)

// The severities of a finding.
const (
	Error   = finding.Error
	Warning = finding.Warning
	Info    = finding.Info
)

// order puts findings as they stand in the files.
func order(findings []Finding) {
	slices.SortStableFunc(findings, func(a, b Finding) int {
		return cmp.Or(
			strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line),
			strings.Compare(a.Object.String(), b.Object.String()),
			strings.Compare(a.Rule, b.Rule), strings.Compare(a.Message, b.Message),
		)
	})
}

// Failed reports whether an error is among the findings that are not silenced.
func Failed(findings []Finding) bool {
	return slices.ContainsFunc(findings, func(f Finding) bool { return f.Severity == Error && f.Silenced == "" })
}

// Redacted are the findings without the secrets in them, for whoever prints them.
func Redacted(findings []Finding) []Finding {
	out := slices.Clone(findings)
	for i := range out {
		f := &out[i]
		for _, text := range []*string{&f.Message, &f.Remedy, &f.Object.Name, &f.Other.Name, &f.File, &f.Silenced} {
			*text = untrusted.Redact(*text)
		}
	}
	return out
}
