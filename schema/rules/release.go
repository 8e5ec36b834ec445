package rules

import (
	"strings"

	"github.com/inferstack/inferstack/release"
	"github.com/inferstack/inferstack/schema"
)

// releaseLine refuses a line that the catalogue does not have, and says what the user of
// an old one's EPP should hear.
func releaseLine(s stack) (out []schema.Problem) {
	line := s.line()
	if line == nil {
		return []schema.Problem{s.Problem(schema.Error, "spec.release", "must be one of %s (got %q)",
			strings.Join(release.Names(), ", "), s.Spec.Release)}
	}
	if !s.Spec.Scheduler.Enabled || s.Has("spec.scheduler.image") {
		return nil // the line's EPP is not used
	}
	for _, warning := range line.Warnings {
		out = append(out, s.Problem(schema.Warning, "spec.release", "%s", warning))
	}
	return out
}
