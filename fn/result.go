package fn

import (
	"fmt"

	"github.com/inferstack/inferstack/internal/untrusted"
	"github.com/inferstack/inferstack/schema"
)

// A result is a message of a KRM function. kyaml's type of it lives in a package that
// brings an OpenAPI validator along.
type result struct {
	Message     string       `yaml:"message"`
	Severity    string       `yaml:"severity"`
	ResourceRef *resourceRef `yaml:"resourceRef,omitempty"`
	Field       *resultField `yaml:"field,omitempty"`
	File        *resultFile  `yaml:"file,omitempty"`
}

type resourceRef struct {
	APIVersion string `yaml:"apiVersion"`
	Kind       string `yaml:"kind"`
	Name       string `yaml:"name"`
	Namespace  string `yaml:"namespace,omitempty"`
}

type resultField struct {
	Path         string `yaml:"path"`
	CurrentValue any    `yaml:"currentValue,omitempty"`
}

type resultFile struct {
	Path string `yaml:"path"`
}

// A finding is a problem with the object that has it.
type finding struct {
	schema.Problem
	on *resourceRef
}

// result puts a finding in the words of the specification. The line is in the message
// too, since the specification has no place for it.
func (f finding) result() result {
	r := result{Message: f.String(), Severity: string(f.Severity), ResourceRef: f.on}
	if f.Path != "" {
		r.Field = &resultField{Path: untrusted.Line(f.Path), CurrentValue: f.Value}
	}
	if f.File != "" {
		r.File = &resultFile{Path: untrusted.File(f.File)}
	}
	return r
}

// problem is an error that has no place in a file.
func problem(on *resourceRef, format string, args ...any) finding {
	return finding{schema.Problem{Severity: schema.Error, Message: fmt.Sprintf(format, args...)}, on}
}

// findings puts problems on the object that has them.
func findings(problems schema.Problems, on *resourceRef) []finding {
	out := make([]finding, len(problems))
	for i, p := range problems {
		out[i] = finding{p, on}
	}
	return out
}

// failed reports whether any of the findings stops the run.
func failed(findings []finding) bool {
	for _, f := range findings {
		if f.Severity == schema.Error {
			return true
		}
	}
	return false
}

// refToDocument refers to a document, or to nothing when it has no name to refer to.
func refToDocument(d schema.Document) *resourceRef {
	if d.Name == "" || d.Kind == "" {
		return nil
	}
	return &resourceRef{d.APIVersion, d.Kind, d.Name, d.Namespace}
}

func refToStack(s *schema.Stack) *resourceRef {
	return &resourceRef{s.APIVersion, s.Kind, s.Metadata.Name, s.Metadata.Namespace}
}
