package generators

import (
	"fmt"

	"github.com/inferstack/inferstack/admission"
	"github.com/inferstack/inferstack/generators/base"
	"github.com/inferstack/inferstack/internal/provenance"
	"github.com/inferstack/inferstack/schema"
)

// refused are the objects that no API server would take: what the fields of a stack and
// its patches amount to together is seen in what is made of them.
func refused(s *base.Stack, objects []base.Object) []Conflict {
	var out []Conflict
	seen := map[schema.Problem]bool{}
	for _, o := range objects {
		for _, flaw := range admission.Object(o) {
			path, exact := provenance.Field(s.Stack, o, flaw.Path)
			message := flaw.Message
			if !exact {
				message = fmt.Sprintf("makes %s %q one that the API server refuses: %s: %s",
					o.GetObjectKind().GroupVersionKind().Kind, o.GetName(), flaw.Path, flaw.Message)
			}
			if c := conflict(s.Stack, path, "%s", message); !seen[c.Problem] {
				seen[c.Problem] = true
				out = append(out, c)
			}
		}
	}
	return out
}
