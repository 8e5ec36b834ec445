package fn

import (
	"fmt"
	"io"

	"github.com/inferstack/inferstack/finding"
	"github.com/inferstack/inferstack/schema"
)

// report writes the findings, one per line: errors as they are, so that an editor finds
// file:line:column at the start, others, and errors without a file, with their severity before them.
// When that cannot be written, nobody is left to tell.
func report(w io.Writer, found finding.List) {
	for _, p := range found.Heard() {
		if p.Severity == schema.Error && p.File != "" {
			_, _ = fmt.Fprintln(w, p)
		} else {
			_, _ = fmt.Fprintf(w, "%s: %s\n", p.Severity, p)
		}
	}
}
