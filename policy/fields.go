package policy

import (
	"cmp"
	"slices"

	"cuelang.org/go/cue"
	"cuelang.org/go/cue/ast"

	"github.com/inferstack/inferstack/internal/verdict"
)

// wants are the fields that a policy names and a stack has not, so that a rule on a field that is not
// there, or is misspelt, is no rule that everybody keeps.
type wants struct {
	file       *ast.File
	violations []verdict.Violation
	names      []verdict.Name
}

// A field is one place in a stack and in its policy.
type field struct {
	at    []cue.Selector
	have  cue.Value // the stack's
	want  cue.Value // the stack's and the policy's
	alone cue.Value // the policy's, which has fields also where the two contradict each other
	// needed says that neither the field nor one around it is marked by a question mark.
	needed bool
}

func (w *wants) read(f field) {
	before := len(w.violations)
	for _, inner := range f.fields() {
		w.read(inner)
	}
	if f.have.Exists() {
		return
	}
	at, pos := f.names(), f.want.Pos()
	w.names = append(w.names, verdict.Name{Steps: at, File: w.file.Filename, Line: pos.Line(), Column: pos.Column()})
	if !f.needed || len(w.violations) > before {
		return
	}
	v := verdict.Violation{Path: cue.MakePath(f.at...).String(), File: w.file.Filename, Line: pos.Line(), Absent: at}
	v.Message = cmp.Or(comment(w.file, pos), "must be set")
	w.violations = append(w.violations, v)
}

// fields are those in a field, or the elements of a list.
func (f field) fields() (out []field) {
	if list, err := f.want.List(); err == nil {
		for i := 0; list.Next() && f.have.Exists(); i++ {
			out = append(out, f.inner(cue.Index(i), list.Value(), true))
		}
		return out
	}
	fields, err := f.want.Fields(cue.Optional(true))
	if err != nil && f.alone.IncompleteKind() == cue.StructKind {
		fields, err = f.alone.Fields(cue.Optional(true))
	}
	if err != nil {
		return nil
	}
	for fields.Next() {
		name := fields.Selector()
		needed := name.ConstraintType() != cue.OptionalConstraint
		if name.LabelType() == cue.StringLabel { // and no element of a list that is contradicted
			name = cue.Str(name.Unquoted())
		}
		out = append(out, f.inner(name, fields.Value(), needed))
	}
	return out
}

func (f field) inner(name cue.Selector, want cue.Value, needed bool) field {
	path := cue.MakePath(name)
	return field{
		at: append(slices.Clip(f.at), name), have: f.have.LookupPath(path), want: want, alone: f.alone.LookupPath(path), needed: f.needed && needed,
	}
}

// names are those on the way to a field, without positions in lists.
func (f field) names() (out []string) {
	for _, s := range f.at {
		if s.LabelType() == cue.StringLabel {
			out = append(out, s.Unquoted())
		}
	}
	return out
}
