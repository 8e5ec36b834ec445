package wiring

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/inferstack/inferstack/finding"
	"github.com/inferstack/inferstack/internal/untrusted"
)

// Formats are the names that Write knows.
var Formats = []string{"text", "json", "sarif", "github"}

// Write writes findings in a format. What is silenced is in SARIF only, whose readers know how
// to set it apart.
func Write(w io.Writer, format string, findings []Finding) error {
	findings = Redacted(findings)
	loud := finding.List(findings).Heard()
	switch format {
	case "text":
		return writeText(w, loud)
	case "json":
		return writeJSON(w, loud)
	case "sarif":
		return writeSARIF(w, findings)
	case "github":
		return writeGitHub(w, loud)
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
			fmt.Fprintln(&out, textOf(f))
			continue
		}
		if to := untrusted.Line(f.Other.String()); !slices.Contains(before, to) {
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

// sentence is who a finding is about and its message; a file that cannot be read has no object.
func sentence(f Finding) string {
	text := f.Message
	if f.Path != "" {
		text = f.Path + ": " + text
	}
	if f.Object != (Ref{}) && f.Path == "" {
		text = f.Object.String() + ": " + text
	}
	return text
}

// textOf is a finding on one line, and its remedy on another.
func textOf(f Finding) string {
	text := fmt.Sprintf("%s: %s [%s]", f.Severity, untrusted.Line(sentence(f)), f.Rule)
	if place := f.Place(); place != "" {
		text = place + ": " + text
	}
	if f.Remedy != "" {
		text += "\n    " + untrusted.Line(f.Remedy)
	}
	return text
}

// Summary counts findings, such as "2 errors, 1 warning, 3 silenced".
func Summary(findings []Finding) string {
	count := map[Severity]int{}
	loud := finding.List(findings).Heard()
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
