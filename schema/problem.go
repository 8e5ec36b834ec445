package schema

import "github.com/inferstack/inferstack/finding"

// The identity of a stack's document.
const (
	APIVersion = "inferstack.dev/v1alpha1"
	Kind       = "InferenceStack"
)

// A Problem is a finding about a document. A Path is a field that its message names.
type (
	Severity = finding.Severity
	Problem  = finding.Finding
	Problems = finding.List
	Path     = finding.Path
)

// The severities of a problem.
const (
	Error   = finding.Error
	Warning = finding.Warning
	Info    = finding.Info
)
