package fn

import (
	"slices"
	"strings"

	"github.com/inferstack/inferstack/finding"
	"github.com/inferstack/inferstack/internal/krm"
	"github.com/inferstack/inferstack/internal/untrusted"
	"github.com/inferstack/inferstack/schema"
	"github.com/inferstack/inferstack/schema/document"
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

// resultOf puts a finding in the words of the specification. The line is in the message
// too, since the specification has no place for it.
func resultOf(f finding.Finding) result {
	r := result{Message: f.String(), Severity: string(f.Severity)}
	if f.Object != (finding.Ref{}) {
		r.ResourceRef = &resourceRef{f.APIVersion, f.Object.Kind, f.Object.Name, f.Object.Namespace}
	}
	if f.Path != "" {
		r.Field = &resultField{Path: untrusted.Line(f.Path), CurrentValue: f.Value}
	}
	if f.File != "" {
		r.File = &resultFile{Path: untrusted.File(f.File)}
	}
	return r
}

// problem is an error that has no place in a file.
func problem(format string, args ...any) finding.Finding {
	return finding.New(finding.Error, "", format, args...)
}

// failed reports whether any of the findings stops the run.
func failed(found finding.List) bool { return len(found.Errors()) > 0 }

// onDocument puts findings on a document, unless it has no name to refer to.
func onDocument(d document.Document, found ...finding.Finding) finding.List {
	out := slices.Clone(found)
	if d.Name == "" || d.Kind == "" {
		return out
	}
	group, _, grouped := strings.Cut(d.APIVersion, "/")
	if !grouped {
		group = ""
	}
	for i, f := range out {
		out[i] = f.About(d.APIVersion, finding.Ref{Group: group, Kind: d.Kind, Namespace: d.Namespace, Name: d.Name})
	}
	return out
}

// onItem puts a finding on an item of a ResourceList, or on nothing.
func onItem(item *krm.Object, f finding.Finding) finding.Finding {
	if item == nil {
		return f
	}
	return onDocument(documentOf(item), f)[0]
}

// onStack puts a finding on a stack.
func onStack(s *schema.Stack, f finding.Finding) finding.Finding {
	group, _, _ := strings.Cut(s.APIVersion, "/")
	return f.About(s.APIVersion, finding.Ref{Group: group, Kind: s.Kind, Namespace: s.Metadata.Namespace, Name: s.Metadata.Name})
}
