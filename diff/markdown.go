package diff

import (
	"fmt"
	"html"
	"io"
	"strings"

	"github.com/inferstack/inferstack/internal/untrusted"
)

// Markdown writes the differences as a comment on a pull request: the counts in sight,
// the details to unfold; those that hurt are unfolded.
func Markdown(w io.Writer, all []Difference) error {
	var b strings.Builder
	b.WriteString("**" + Summary(all) + "**\n")
	if first := definitions(all); first != "" {
		b.WriteString("\n" + html.EscapeString(first))
	}
	for _, risk := range Risks {
		group := of(all, risk)
		if len(group) == 0 {
			continue
		}
		open := ""
		if risk == LosesData || risk == Replaces || risk == RestartsGPU || risk == StopsGPU || risk == Readdresses {
			open = " open"
		}
		fmt.Fprintf(&b, "\n<details%s><summary>%s (%d)</summary>\n\n", open, html.EscapeString(headings[risk]), len(group))
		for _, d := range group {
			fmt.Fprintf(&b, "- %s\n", code(d.ID.String()))
			if len(d.Changes) > 0 {
				b.WriteString("  ```diff\n")
			}
			at := ""
			for _, c := range shown(d.Changes) {
				if heading := "  @@ " + untrusted.Line(c.Path) + c.note() + " @@\n"; heading != at {
					b.WriteString(heading)
					at = heading
				}
				b.WriteString(c.lines())
			}
			if len(d.Changes) > 0 {
				b.WriteString("  ```\n")
			}
		}
		b.WriteString("\n</details>\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// code is a name as it stands, whatever Markdown would make of what is in it: a span of code
// is fenced by more backticks than follow one another in it (CommonMark 0.31, Code spans).
func code(name string) string {
	name = untrusted.Line(name)
	fence := "`"
	for strings.Contains(name, fence) {
		fence += "`"
	}
	if fence != "`" {
		name = " " + name + " "
	}
	return fence + name + fence
}

// lines is a change as lines of a diff in a list item.
func (c Change) lines() string {
	s := ""
	if c.Old != nil {
		s += "  - " + short(c.Old) + "\n"
	}
	if c.New != nil {
		s += "  + " + short(c.New) + "\n"
	}
	return s
}
