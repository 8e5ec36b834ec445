package schema

import (
	"strconv"

	"github.com/inferstack/inferstack/admission"
)

// flaws are those of a part of the stack as problems of the fields there.
func (s *Stack) flaws(at string, found []admission.Flaw) []Problem {
	var out []Problem
	for _, f := range found {
		path := at
		for _, step := range steps(f.Path) {
			if i, err := strconv.Atoi(step); err == nil {
				path = join(path, "", i)
			} else {
				path = join(path, step, 0)
			}
		}
		out = append(out, s.Problem(Error, path, "%s", f.Message))
	}
	return out
}
