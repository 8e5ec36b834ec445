package schema

import "github.com/inferstack/inferstack/admission"

// flaws are those of a part of the stack as problems of the fields there.
func (s *Stack) flaws(at string, found []admission.Flaw) []Problem {
	var out []Problem
	for _, f := range found {
		path := at
		switch {
		case f.Path == "":
		case f.Path[0] == '[':
			path += f.Path
		default:
			path += "." + f.Path
		}
		out = append(out, s.Problem(Error, path, "%s", f.Message))
	}
	return out
}
