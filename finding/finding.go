// Package finding is what is said about documents and objects: one type for what the schema,
// the rules of check, convert and the function report.
package finding

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/inferstack/inferstack/internal/untrusted"
)

// Severity says what a finding means for the run.
type Severity string

// The severities, as a KRM function's results spell them.
const (
	// Error is something that cannot work. It stops the run.
	Error Severity = "error"
	// Warning is something that works, but not as it seems to be meant, or not for long.
	Warning Severity = "warning"
	// Info is worth knowing, such as what must already exist.
	Info Severity = "info"
)

// Kind says what became of a field that was carried over from another system.
type Kind string

// The kinds. A finding that is not about carrying something over has none.
const (
	// Changed is carried over in another form.
	Changed Kind = "changed"
	// Lost is not carried over.
	Lost Kind = "lost"
	// Defaulted gives way to what the release catalogue or a default says.
	Defaulted Kind = "defaulted"
	// NoEffect changes nothing, whatever its value.
	NoEffect Kind = "no-effect"
)

// Dismisses reports whether nothing of the field has an effect on the result.
func (k Kind) Dismisses() bool { return k == Lost || k == Defaulted || k == NoEffect }

// A Ref names an object. An empty namespace is that of whoever applies the objects, or
// none for a kind that is in no namespace.
type Ref struct {
	Group     string `json:"group,omitempty"`
	Kind      string `json:"kind"`
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name"`
}

// String is Kind namespace/name.
func (r Ref) String() string {
	name := r.Name
	if r.Namespace != "" {
		name = r.Namespace + "/" + name
	}
	return strings.TrimSpace(r.Kind + " " + name)
}

// A Path is a field that a message names, such as spec.decode.replicas.
type Path string

// A Finding is one thing that is wrong with a document or an object, or worth saying about it.
type Finding struct {
	Severity Severity `json:"severity"`
	// Rule is the ID of the rule that found it; empty where no rule did.
	Rule string `json:"rule"`
	Kind Kind   `json:"kind,omitempty"`
	// Object is what it is about, Other what that refers to, if any.
	Object Ref `json:"from"`
	Other  Ref `json:"to,omitzero"`
	// APIVersion of Object, where its document is known.
	APIVersion string `json:"-"`
	// Path of the field, such as spec.decode.replicas; Related are further ones that the
	// message names.
	Path    string   `json:"path,omitempty"`
	Related []string `json:"related,omitempty"`
	// Message says what is wrong, Remedy how to fix it.
	Message string `json:"message"`
	Remedy  string `json:"remedy,omitempty"`
	// File, Line and Column are where it is written; lines and columns count from 1, and 0 is
	// unknown.
	File   string `json:"file,omitempty"`
	Line   int    `json:"line,omitempty"`
	Column int    `json:"column,omitempty"`
	// Value is what was found, never a secret.
	Value any `json:"-"`
	// Silenced is the reason for which the object silences the rule.
	Silenced string `json:"silenced,omitempty"`

	format string
	args   []any
}

// New makes a finding on a field. Arguments of the type Path become its related fields.
func New(severity Severity, path, format string, args ...any) Finding {
	f := Finding{Severity: severity, Path: path, Message: fmt.Sprintf(format, args...)}
	for _, arg := range args {
		if p, ok := arg.(Path); ok {
			f.Related = append(f.Related, string(p))
		}
	}
	if len(f.Related) > 0 {
		f.format, f.args = format, args
	}
	return f
}

// Renamed is the finding with other names for the fields that its message names.
func (f Finding) Renamed(name func(path string) string) Finding {
	if len(f.Related) == 0 {
		return f
	}
	args := make([]any, len(f.args))
	for i, arg := range f.args {
		if p, ok := arg.(Path); ok {
			arg = Path(name(string(p)))
		}
		args[i] = arg
	}
	renamed := New(f.Severity, f.Path, f.format, args...)
	f.Message, f.Related, f.format, f.args = renamed.Message, renamed.Related, renamed.format, renamed.args
	return f
}

// About is the finding with the object that it is about.
func (f Finding) About(apiVersion string, object Ref) Finding {
	f.APIVersion, f.Object = apiVersion, object
	return f
}

// At is the finding at the place of another.
func (f Finding) At(place Finding) Finding {
	f.Path, f.File, f.Line, f.Column = place.Path, place.File, place.Line, place.Column
	return f
}

// Same reports whether two findings say the same.
func (f Finding) Same(g Finding) bool {
	return f.Message == g.Message && f.Path == g.Path && f.Severity == g.Severity && f.Rule == g.Rule && f.Kind == g.Kind &&
		f.Object == g.Object && f.Other == g.Other && f.Remedy == g.Remedy && f.Silenced == g.Silenced &&
		f.File == g.File && f.Line == g.Line && f.Column == g.Column
}

// Place is file:line:column as far as they are known.
func (f Finding) Place() string {
	switch {
	case f.File != "" && f.Line > 0 && f.Column > 0:
		return fmt.Sprintf("%s:%d:%d", untrusted.File(f.File), f.Line, f.Column)
	case f.File != "" && f.Line > 0:
		return fmt.Sprintf("%s:%d", untrusted.File(f.File), f.Line)
	case f.File != "":
		return untrusted.File(f.File)
	case f.Line > 0:
		return fmt.Sprintf("line %d", f.Line)
	}
	return ""
}

// String is file:line:column: path: message on one line, without the parts that are unknown
// and without what must not be printed.
func (f Finding) String() string {
	var b strings.Builder
	for _, part := range []string{f.Place(), untrusted.Line(f.Path)} {
		if part != "" {
			b.WriteString(part + ": ")
		}
	}
	b.WriteString(untrusted.Line(f.Message))
	return b.String()
}

// PathOf is the path of a field as messages write it, of the steps to it: spec.decode.env[0].name.
func PathOf(steps []string) string {
	var out strings.Builder
	for _, step := range steps {
		switch _, err := strconv.Atoi(step); {
		case err == nil:
			out.WriteString("[" + step + "]")
		case out.Len() > 0:
			out.WriteString("." + step)
		default:
			out.WriteString(step)
		}
	}
	return out.String()
}
