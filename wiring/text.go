package wiring

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// Formats are the names that Write knows.
var Formats = []string{"text", "json", "sarif", "github"}

// Write writes findings in a format.
func Write(w io.Writer, format string, findings []Finding) error {
	switch format {
	case "text":
		return writeText(w, findings)
	case "json":
		return writeJSON(w, findings)
	case "sarif":
		return writeSARIF(w, findings)
	case "github":
		return writeGitHub(w, findings)
	default:
		return fmt.Errorf("no format %q; there are %s", format, strings.Join(Formats, ", "))
	}
}

// writeText writes what is wrong as it stands in the files, and what must be there
// beforehand as a list after it.
func writeText(w io.Writer, findings []Finding) error {
	var before []string
	var out strings.Builder
	for _, f := range findings {
		if f.Rule != "prerequisite" {
			fmt.Fprintln(&out, f)
			continue
		}
		if to := Plain(f.To.String()); !slices.Contains(before, to) {
			before = append(before, to)
		}
	}
	slices.Sort(before)
	if len(before) > 0 {
		fmt.Fprintf(&out, "must be there beforehand: %s\n", strings.Join(before, ", "))
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// Summary counts findings, such as "2 errors, 1 warning".
func Summary(findings []Finding) string {
	count := map[Severity]int{}
	for _, f := range findings {
		count[f.Severity]++
	}
	return plural(count[Error], "error") + ", " + plural(count[Warning], "warning")
}

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}
