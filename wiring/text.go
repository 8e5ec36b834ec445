package wiring

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/inferstack/inferstack/internal/untrusted"
)

// Formats are the names that Write knows.
var Formats = []string{"text", "json", "sarif", "github"}

// Write writes findings in a format. What is silenced is in SARIF only, whose readers know how
// to set it apart.
func Write(w io.Writer, format string, findings []Finding) error {
	findings = Redacted(findings)
	switch format {
	case "text":
		return writeText(w, heard(findings))
	case "json":
		return writeJSON(w, heard(findings))
	case "sarif":
		return writeSARIF(w, findings)
	case "github":
		return writeGitHub(w, heard(findings))
	default:
		return fmt.Errorf("no format %q; there are %s", format, strings.Join(Formats, ", "))
	}
}

// writeText writes what is wrong as it stands in the files, and what must already exist as a
// list after it.
func writeText(w io.Writer, findings []Finding) error {
	var before []string
	var out strings.Builder
	for _, f := range findings {
		if f.Rule != "prerequisite" {
			fmt.Fprintln(&out, f)
			continue
		}
		if to := untrusted.Line(f.To.String()); !slices.Contains(before, to) {
			before = append(before, to)
		}
	}
	slices.Sort(before)
	if len(before) > 0 {
		fmt.Fprintf(&out, "must already exist (%d):\n    %s\n", len(before), strings.Join(before, "\n    "))
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// Summary counts findings, such as "2 errors, 1 warning, 3 silenced".
func Summary(findings []Finding) string {
	count := map[Severity]int{}
	loud := heard(findings)
	for _, f := range loud {
		count[f.Severity]++
	}
	text := plural(count[Error], "error") + ", " + plural(count[Warning], "warning")
	if silent := len(findings) - len(loud); silent > 0 {
		text += fmt.Sprintf(", %d silenced", silent)
	}
	return text
}

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}
