package graph

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/inferstack/inferstack/internal/untrusted"
	"github.com/inferstack/inferstack/wiring"
)

// Mermaid writes the picture as a Mermaid flowchart.
func Mermaid(w io.Writer, p *Picture) error {
	var out strings.Builder
	out.WriteString("flowchart LR\n")
	for _, n := range p.Nodes {
		if n.band == nil {
			mermaidNode(&out, "  ", n)
		}
	}
	for i, band := range p.Bands {
		fmt.Fprintf(&out, "  subgraph b%d[\"%s\"]\n", i+1, mermaidText(band.heading()))
		for _, n := range band.Nodes {
			mermaidNode(&out, "    ", n)
		}
		out.WriteString("  end\n")
	}
	var bold, broken []string
	for i, e := range p.Edges {
		fmt.Fprintf(&out, "  %s %s|\"%s\"| %s\n", e.From.ID, mermaidArrow(e), mermaidText(p.label(e)), e.To.ID)
		switch {
		case e.State == wiring.Missing:
			broken = append(broken, strconv.Itoa(i))
		case e.Stage != none:
			bold = append(bold, strconv.Itoa(i))
		}
	}
	for _, n := range p.Nodes {
		if n.Parent != nil && !p.linked(n.Parent, n) {
			fmt.Fprintf(&out, "  %s -.- %s\n", n.Parent.ID, n.ID)
		}
	}
	if text := p.omitted(); text != "" {
		fmt.Fprintf(&out, "  omitted[\"%s\"]\n", mermaidText(text))
	}
	mermaidStyles(&out, bold, broken)
	_, err := io.WriteString(w, out.String())
	return err
}

// mermaidStyles come last. Only strokes are coloured: the text is that of the page's
// theme, light or dark.
func mermaidStyles(out *strings.Builder, bold, broken []string) {
	for _, role := range roles {
		fmt.Fprintf(out, "  classDef %s stroke:%s,stroke-width:2px\n", role, strokes[role])
	}
	out.WriteString("  classDef missing stroke:#d1242f,stroke-width:2px,stroke-dasharray:6 4\n")
	out.WriteString("  classDef prerequisite stroke:#8b949e,stroke-width:2px,stroke-dasharray:2 3\n")
	if len(bold) > 0 {
		fmt.Fprintf(out, "  linkStyle %s stroke:#0969da,stroke-width:3px\n", strings.Join(bold, ","))
	}
	if len(broken) > 0 {
		fmt.Fprintf(out, "  linkStyle %s stroke:#d1242f,stroke-width:2px,stroke-dasharray:6 4\n", strings.Join(broken, ","))
	}
}

func mermaidNode(out *strings.Builder, indent string, n *Node) {
	lines := []string{"<b>" + mermaidText(n.Name) + "</b>"}
	if n.Kind != "" {
		lines = append([]string{"<small>" + mermaidText(n.Kind) + "</small>"}, lines...)
	}
	for _, f := range n.facts() {
		lines = append(lines, mermaidText(f))
	}
	fmt.Fprintf(out, "%s%s[\"%s\"]:::%s\n", indent, n.ID, strings.Join(lines, "<br/>"), n.class())
}

func mermaidArrow(e *Edge) string {
	switch {
	case e.State == wiring.Missing:
		return "-.->"
	case e.Stage != none:
		return "==>"
	default:
		return "-->"
	}
}

// mermaidText escapes what is Mermaid or HTML, as numbered entities, which Mermaid
// decodes after parsing.
func mermaidText(text string) string {
	var out strings.Builder
	for _, r := range untrusted.Redact(text) {
		switch {
		case r < ' ':
			out.WriteByte(' ')
		case strings.ContainsRune("\"#<>&;`|[]{}()\\%@$*_~", r):
			fmt.Fprintf(&out, "#%d;", r)
		default:
			out.WriteRune(r)
		}
	}
	return out.String()
}
