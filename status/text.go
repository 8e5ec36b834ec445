package status

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/inferstack/inferstack/internal/untrusted"
)

// Text writes a line for each component, with how many of its pods and of its objects are ready, and one for each object that is not ready or of
// which there is a warning.
func Text(w io.Writer, r Report) error {
	var b strings.Builder
	out := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(out, "STACK\tCOMPONENT\tSTATUS\tPODS\tOBJECTS")
	for _, c := range r.Components {
		ready := 0
		for _, o := range c.Objects {
			if o.State == Ready {
				ready++
			}
		}
		_, _ = fmt.Fprintf(out, "%s\t%s\t%s\t%s\t%d/%d\n", untrusted.Line(title(c)), untrusted.Line(c.Component), c.State, untrusted.Line(podsText(c.Pods)), ready, len(c.Objects))
	}
	if err := out.Flush(); err != nil {
		return err
	}
	for _, c := range r.Components {
		for _, o := range c.Objects {
			state, why := string(o.State), o.Reason
			switch {
			case o.Warning != "":
				state, why = state+", but", o.Warning
			case o.State == Ready:
				continue
			}
			fmt.Fprintf(&b, "\n%s %s is %s\n  %s\n", untrusted.Line(o.Kind), untrusted.Line(strings.TrimPrefix(o.Namespace+"/"+o.Name, "/")), state, oneLine(why))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func title(c Component) string {
	name := c.Stack
	if name == "" {
		name = "-"
	}
	return strings.TrimPrefix(c.Namespace+"/"+name, "/")
}

func oneLine(s string) string { return untrusted.Line(strings.Join(strings.Fields(s), " ")) }
