package generators

import (
	"fmt"
	"slices"

	"github.com/inferstack/inferstack/admission"
	"github.com/inferstack/inferstack/finding"
	"github.com/inferstack/inferstack/generators/manifest"
	"github.com/inferstack/inferstack/internal/provenance"
	"github.com/inferstack/inferstack/schema"
)

// A Look finds errors among the objects of one stack. What is not among them may be there
// beforehand.
type Look func(objects []manifest.Manifest) finding.List

// A fence collects what is wrong with the objects of a stack, at the fields of the stack
// that they come from.
type fence struct {
	stack *schema.Stack
	found []Conflict
}

// fenced judges what was made of a stack, as a last fence: by what an API server takes, and
// by the look of others. The fields of a stack and its patches may each be right, and
// amount to an object that is refused, or that cannot work.
func fenced(s *schema.Stack, objects []manifest.Object, manifests []manifest.Manifest, looks []Look) []Conflict {
	f := &fence{stack: s}
	for _, o := range objects {
		for _, flaw := range admission.Object(o) {
			f.refused(o, flaw)
		}
	}
	if len(f.found) > 0 {
		return f.found
	}
	for _, look := range looks {
		for _, found := range look(manifests) {
			f.wrong(objects, found)
		}
	}
	return f.found
}

func (f *fence) add(path, message string) {
	c := conflict(f.stack, path, "%s", message)
	if !slices.ContainsFunc(f.found, func(other Conflict) bool { return other.Same(c.Finding) }) {
		f.found = append(f.found, c)
	}
}

// refused reports a flaw that an API server sees.
func (f *fence) refused(o manifest.Object, flaw admission.Flaw) {
	path, exact := provenance.Field(f.stack, o, flaw.Path)
	if exact {
		f.add(path, flaw.Message)
		return
	}
	f.add(path, fmt.Sprintf("makes %s %q one that the API server refuses: %s: %s", o.GetObjectKind().GroupVersionKind().Kind, o.GetName(), flaw.Path, flaw.Message))
}

// wrong reports what somebody else found.
func (f *fence) wrong(objects []manifest.Object, found finding.Finding) {
	for _, o := range objects {
		if finding.Ref(manifest.IDOf(o)) == found.Object {
			path, _ := provenance.Field(f.stack, o, "")
			f.add(path, fmt.Sprintf("makes %s %q one that cannot work: %s", found.Object.Kind, found.Object.Name, found.Message))
			return
		}
	}
}
