package graph

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/inferstack/inferstack/wiring"
)

const stepLine = 17.0

// legend says in words what the numbers and lines mean, and returns where the sheet ends.
func (s *sheet) legend(out *strings.Builder) float64 {
	y := s.height
	steps := s.Legend()
	columns := 1
	if s.width >= 700 && len(steps) > 3 {
		columns = 2
	}
	width := (s.width - 2*margin) / float64(columns)
	rows := (len(steps) + columns - 1) / columns
	bottom := y
	for i, step := range steps {
		if i%max(rows, 1) == 0 {
			y = s.height
		}
		x := margin + width*float64(i/rows)
		fmt.Fprintf(out, `<g><circle class="dot" cx="%s" cy="%s" r="9"/><text class="number" x="%[1]s" y="%[3]s">%d</text>`, num(x+9), num(y+4), num(y+8), step.Number)
		for _, text := range stepFont.wrap(step.Text, width-44, 3) {
			fmt.Fprintf(out, `<text class="says" x="%s" y="%s">%s</text>`, num(x+26), num(y+8.5), escape(text))
			y += stepLine
		}
		out.WriteString("</g>\n")
		y += 6
		bottom = max(bottom, y)
	}
	return s.key(out, bottom+4) + margin
}

// omitted says how many edges are not drawn.
func (p *Picture) omitted() string {
	switch p.Omitted {
	case 0:
		return ""
	case 1:
		return "1 more reference is not drawn"
	default:
		return strconv.Itoa(p.Omitted) + " more references are not drawn"
	}
}

// key explains the kinds of lines that the picture has.
func (s *sheet) key(out *strings.Builder, y float64) float64 {
	have := map[string]bool{}
	for _, e := range s.edges {
		have[e.line()] = true
	}
	x := margin
	for _, k := range []struct{ line, text string }{{"step", "way of a request"}, {"ref", "reference"}, {"missing", "refers to what is missing"}} {
		if !have[k.line] {
			continue
		}
		fmt.Fprintf(out, `<path class="edge %s" d="M%s %sh30" marker-end="url(#head-%[1]s)"/><text class="holds" x="%[4]s" y="%[5]s">%[6]s</text>`+"\n",
			k.line, num(x), num(y), num(x+38), num(y+4), k.text)
		x += 60 + kindFont.width(k.text)
	}
	for _, n := range s.Nodes {
		if n.State == wiring.Prerequisite {
			fmt.Fprintf(out, `<g class="n-prerequisite"><rect class="box" x="%s" y="%s" width="30" height="14" rx="4"/></g><text class="holds" x="%s" y="%s">not among these manifests</text>`+"\n",
				num(x), num(y-7), num(x+38), num(y+4))
			x += 60 + kindFont.width("not among these manifests")
			break
		}
	}
	if text := s.omitted(); text != "" {
		fmt.Fprintf(out, `<text class="holds" x="%s" y="%s">%s</text>`+"\n", num(x), num(y+4), text)
	}
	return y
}
