package graph

import (
	_ "embed" // the style
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/inferstack/inferstack/internal/lists"
)

//go:embed svg.css
var svgStyle string

// laneTitles are over the lanes: the first when one of the roles is in the lane.
var laneTitles = [lanes]struct {
	roles      []Role
	with, none string
}{
	Entry:   {nil, "", "GATEWAY"},
	Routing: {nil, "", "ROUTE"},
	Picking: {[]Role{Picker, Pool}, "PICKER AND POOL", "SERVICE"},
	Serving: {[]Role{Server, Prefill, Encode}, "MODEL SERVERS", "WORKLOADS"},
}

// SVG writes the picture as an SVG document that needs nothing else: no script, no font,
// no address. It is light or dark as its reader is.
func SVG(w io.Writer, p *Picture) error {
	var out strings.Builder
	svg(&out, newSheet(p), false)
	_, err := io.WriteString(w, out.String())
	return err
}

// svg writes a sheet, on a page with nodes that can be chosen.
func svg(out *strings.Builder, s *sheet, live bool) {
	var body strings.Builder
	for _, f := range s.frames {
		s.band(&body, f)
	}
	s.heads(&body)
	wires := s.wires()
	for _, step := range []bool{false, true} { // the way of a request lies on top
		for _, w := range wires {
			if (w.Stage != none) == step {
				s.wire(&body, w)
			}
		}
	}
	for _, n := range s.Nodes {
		s.node(&body, s.cards[n], live)
	}
	for _, w := range wires {
		s.label(&body, w)
	}
	height := s.legend(&body)
	title, text := s.title()
	fmt.Fprintf(out, `<svg xmlns="http://www.w3.org/2000/svg" class="inferstack" width="%s" height="%s" viewBox="0 0 %[1]s %[2]s" role="%s" aria-labelledby="picture-title picture-text">`+"\n",
		num(s.width), num(height), map[bool]string{false: "img", true: "group"}[live])
	fmt.Fprintf(out, "<title id=\"picture-title\">%s</title>\n<desc id=\"picture-text\">%s</desc>\n", escape(title), escape(text))
	if !live {
		fmt.Fprintf(out, "<style>\n%s</style>\n", svgStyle)
	}
	out.WriteString("<defs>")
	for _, line := range []string{"ref", "step", "missing"} {
		size := map[string]int{"ref": 7, "step": 10, "missing": 8}[line]
		fmt.Fprintf(out, `<marker id="head-%s" viewBox="0 0 10 10" refX="8" refY="5" markerWidth="%d" markerHeight="%[2]d" markerUnits="userSpaceOnUse" orient="auto-start-reverse"><path class="head %[1]s" d="M0 0L10 5L0 10z"/></marker>`, line, size)
	}
	fmt.Fprintf(out, "</defs>\n<rect class=\"paper\" width=\"%s\" height=\"%s\" rx=\"10\"/>\n%s</svg>\n", num(s.width), num(height), body.String())
}

// title of the picture, and the steps in words for those who do not see it.
func (s *sheet) title() (title, text string) {
	var names []string
	for _, b := range s.Bands {
		if b.Title != "" {
			names = append(names, b.title())
		}
	}
	title = fmt.Sprintf("Wiring of %d objects", len(s.Objects))
	if len(s.Objects) == 1 {
		title = "Wiring of one object"
	}
	if len(names) > 0 {
		title += ": " + strings.Join(shorten(names, 4), ", ")
	}
	steps := lists.Map(s.Legend(), func(step Step) string { return strconv.Itoa(step.Number) + ". " + step.Text + "." })
	return title, strings.Join(steps, " ")
}

func (s *sheet) band(out *strings.Builder, f *frame) {
	fmt.Fprintf(out, `<g><rect class="band" x="%s" y="%s" width="%s" height="%s" rx="10"/>`, num(f.x), num(f.y), num(f.w), num(f.h))
	name, space := f.Title, ""
	if name == "" {
		name = beside
	} else {
		space = suffix("  ", f.Namespace) + suffix(" · ", f.Model)
	}
	space = titleFont.wrap(space, f.w/2, 1)[0]
	name = titleFont.wrap(name, f.w-2*bandPad-titleFont.width("  "+space), 1)[0]
	fmt.Fprintf(out, "<text class=\"title\" x=\"%s\" y=\"%s\">%s <tspan class=\"ns\">%s</tspan></text></g>\n", num(f.x+bandPad), num(f.y+19), escape(name), escape(space))
}

// heads are the titles of the lanes, and those of parts.
func (s *sheet) heads(out *strings.Builder) {
	for lane, used := range s.used {
		title := laneTitles[lane].none
		if slices.ContainsFunc(s.Nodes, func(n *Node) bool { return n.Lane == Lane(lane) && slices.Contains(laneTitles[lane].roles, n.Role) }) {
			title = laneTitles[lane].with
		}
		if used && title != "" {
			fmt.Fprintf(out, "<text class=\"lane\" x=\"%s\" y=\"%s\">%s</text>\n", num(s.left[lane]), num(margin+12), title)
		}
	}
	for _, l := range s.labels {
		fmt.Fprintf(out, "<text class=\"%s\" x=\"%s\" y=\"%s\">%s</text>\n", l.class, num(l.x), num(l.y), escape(l.text))
	}
}

func (s *sheet) wire(out *strings.Builder, w wire) {
	line := w.line()
	fmt.Fprintf(out, "<g id=\"%s\"><title>%s</title><path class=\"edge %s\" d=\"%s\" marker-end=\"url(#head-%[3]s)\"/></g>\n",
		w.ID, escape(s.sentence(w.Edge)), line, w.path)
}

// sentence says what an edge is.
func (s *sheet) sentence(e *Edge) string {
	how := strings.Join(e.Types, ", ")
	if how == "" {
		how = "to"
	}
	text := e.From.Kind + " " + e.From.Name + " " + how + " " + e.To.Kind + " " + e.To.Name + suffix(", port ", e.Detail)
	return strings.TrimSpace(text)
}

// label is a step's number, and what else is said of an edge.
func (s *sheet) label(out *strings.Builder, w wire) {
	line, tag := w.line(), ""
	if line == "missing" && !w.quiet {
		tag = "missing"
	} else if w.Stage == ask {
		tag = "ext_proc"
	}
	up := 0.0
	if w.Stage != none {
		fmt.Fprintf(out, `<g class="badge" data-edge="%s"><circle class="dot %s" cx="%s" cy="%s" r="9"/><text class="number" x="%[3]s" y="%[5]s">%[6]d</text></g>`+"\n",
			w.ID, line, num(w.x), num(w.y), num(w.y+4), s.numbers[w.Stage])
		up = 14
	}
	if tag != "" {
		x, y := w.x, w.y-up
		if w.down { // beside the line
			x, y = w.x+8+factFont.width(tag)/2, w.y+4
		}
		fmt.Fprintf(out, "<text class=\"tag %s\" data-edge=\"%s\" x=\"%s\" y=\"%s\">%s</text>\n", line, w.ID, num(x), num(y), tag)
	}
}
