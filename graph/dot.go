package graph

import (
	"fmt"
	"io"
	"strings"

	"github.com/inferstack/inferstack/wiring"
)

const dotHead = `digraph inferstack {
  rankdir=LR
  graph [fontname="Helvetica", fontsize=11, fontcolor="#57606a", bgcolor="white", nodesep=0.35, ranksep=0.8]
  node [fontname="Helvetica", fontsize=11, shape=box, style="rounded,filled", fillcolor="white", margin="0.16,0.10"]
  edge [fontname="Helvetica", fontsize=10, color="#8c959f", fontcolor="#57606a", arrowsize=0.7]
`

// DOT writes the picture in the language of Graphviz.
func DOT(w io.Writer, p *Picture) error {
	var out strings.Builder
	out.WriteString(dotHead)
	for _, n := range p.Nodes {
		if n.band == nil {
			dotNode(&out, "  ", n)
		}
	}
	for i, band := range p.Bands {
		fmt.Fprintf(&out, "  subgraph cluster_%d {\n    label=%s\n    color=\"#d0d7de\"\n    style=rounded\n", i+1, dotText(band.heading()))
		for _, n := range band.Nodes {
			dotNode(&out, "    ", n)
		}
		out.WriteString("  }\n")
	}
	for _, e := range p.Edges {
		fmt.Fprintf(&out, "  %s -> %s [label=%s%s]\n", e.From.ID, e.To.ID, dotText(p.label(e)), dotStyle(e))
	}
	for _, n := range p.Nodes {
		if n.Parent != nil && !p.linked(n.Parent, n) {
			fmt.Fprintf(&out, "  %s -> %s [style=dotted, dir=none]\n", n.Parent.ID, n.ID)
		}
	}
	if text := p.omitted(); text != "" {
		fmt.Fprintf(&out, "  label=%s\n", dotText(text))
	}
	out.WriteString("}\n")
	_, err := io.WriteString(w, out.String())
	return err
}

func dotNode(out *strings.Builder, indent string, n *Node) {
	label := "<b>" + escape(n.Name) + "</b>"
	if n.Kind != "" {
		label = `<font point-size="9" color="#57606a">` + escape(n.Kind) + "</font><br/>" + label
	}
	for _, f := range n.facts() {
		label += `<br/><font point-size="10">` + escape(f) + "</font>"
	}
	style, color := "", strokes[n.Role]
	switch n.State {
	case wiring.Missing:
		style, color = `, style="rounded,dashed"`, "#d1242f"
	case wiring.Prerequisite:
		style, color = `, style="rounded,dotted"`, "#57606a"
	}
	fmt.Fprintf(out, "%s%s [label=<%s>, color=\"%s\"%s]\n", indent, n.ID, label, color, style)
}

func dotStyle(e *Edge) string {
	switch {
	case e.State == wiring.Missing:
		return `, color="#d1242f", fontcolor="#d1242f", style=dashed`
	case e.Stage != none:
		return `, color="#0969da", fontcolor="#0969da", penwidth=2.5, weight=4`
	default:
		return ""
	}
}

// dotText is a label. It is written as one with markup, where nothing but markup has to
// be escaped; in a string a backslash would start an escape of DOT's own.
func dotText(text string) string {
	if text == "" {
		return `""`
	}
	return "<" + escape(text) + ">"
}
