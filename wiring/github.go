package wiring

import (
	"fmt"
	"io"
	"strings"

	"github.com/inferstack/inferstack/internal/untrusted"
)

// writeGitHub writes workflow commands, which GitHub Actions puts on the lines of a pull
// request (docs.github.com, "Workflow commands").
func writeGitHub(w io.Writer, findings []Finding) error {
	level := map[Severity]string{Error: "error", Warning: "warning", Info: "notice"}
	for _, f := range findings {
		text := untrusted.Line(sentence(f))
		if f.Remedy != "" {
			text += "\n" + untrusted.Line(f.Remedy)
		}
		place := fmt.Sprintf("line=%d", max(1, f.Line))
		if f.Column > 0 {
			place += fmt.Sprintf(",col=%d", f.Column)
		}
		_, err := fmt.Fprintf(w, "::%s file=%s,%s,title=%s::%s\n",
			level[f.Severity], property.Replace(f.File), place, property.Replace(f.Rule), data.Replace(text))
		if err != nil {
			return err
		}
	}
	return nil
}

// data and property escape as @actions/core does (packages/core/src/command.ts).
var (
	data     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	property = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)
