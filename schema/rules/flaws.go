package rules

import (
	"strconv"

	"github.com/inferstack/inferstack/admission"
	"github.com/inferstack/inferstack/finding"
	"github.com/inferstack/inferstack/schema"
)

// flaws are those of a part of the stack as problems of the fields there.
func (s stack) flaws(at string, found []admission.Flaw) (out []schema.Problem) {
	for _, f := range found {
		path := at
		for _, step := range finding.Steps(f.Path) {
			if i, err := strconv.Atoi(step); err == nil {
				path = finding.Indexed(path, i)
			} else {
				path = finding.Join(path, step, 0)
			}
		}
		out = append(out, s.Problem(schema.Error, path, "%s", f.Message))
	}
	return out
}
