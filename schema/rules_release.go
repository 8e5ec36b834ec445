package schema

import (
	"strings"

	"github.com/inferstack/inferstack/release"
)

// line returns the release line that the stack names, or nil when there is none of that
// name, which releaseLine says.
func (s *Stack) line() *release.Line {
	line, err := release.Load(s.Spec.Release)
	if err != nil {
		return nil
	}
	return line
}

// releaseLine refuses a line that the catalogue does not have, and says what the user of
// an old one's EPP should hear.
func releaseLine(s *Stack) []Problem {
	line := s.line()
	if line == nil {
		return []Problem{s.Problem(Error, "spec.release", "must be one of %s (got %q)",
			strings.Join(release.Names(), ", "), s.Spec.Release)}
	}
	var out []Problem
	if !s.Spec.Scheduler.Enabled || s.Has("spec.scheduler.image") {
		return nil // the line's EPP is not used
	}
	for _, warning := range line.Warnings {
		out = append(out, s.Problem(Warning, "spec.release", "%s", warning))
	}
	return out
}
