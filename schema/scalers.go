package schema

import (
	"github.com/inferstack/inferstack/admission"
)

// scalerKnown warns of a trigger whose scaler KEDA does not have.
func (s *Stack) scalerKnown(at, kind string) []Problem {
	known, meant := admission.KnownScaler(kind)
	if known || kind == "" {
		return nil
	}
	why := "is not a scaler of KEDA"
	if meant != "" {
		why += "; did you mean " + meant + "?"
	}
	return []Problem{s.Problem(Warning, at+".type", "%s (got %q)", why, kind)}
}
