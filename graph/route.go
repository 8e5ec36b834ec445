package graph

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/inferstack/inferstack/wiring"
)

// A wire is an edge with its line.
type wire struct {
	*Edge
	path string
	// x and y where its number or label stands.
	x, y float64
	// down says that the line runs down there; quiet that there is no room for a label.
	down, quiet bool
}

// A side of a card that edges meet.
type side struct {
	*card
	right bool
}

// A port is one edge's place on a side.
type port struct {
	edge *Edge
	// other end's height.
	other float64
}

// wires finds the lines of all edges.
func (s *sheet) wires() (out []wire) {
	offsets := s.offsets()
	at := func(c *card, right bool, e *Edge) float64 {
		return c.middle() + offsets[meeting{side{c, right}, e}]
	}
	for _, e := range s.edges {
		a, b := s.cards[e.From], s.cards[e.To]
		w := wire{Edge: e}
		aRight, bRight := s.sides(e)
		switch {
		case s.vertical(e):
			w.straight(a, b)
		case s.skipping(e):
			s.around(&w, at(a, aRight, e), at(b, bRight, e))
		case aRight == bRight:
			w.arc(a, b, at(a, true, e), at(b, true, e))
		default:
			y1, y2 := at(a, aRight, e), at(b, bRight, e)
			if s.fansOut(e) && math.Abs(y1-y2) > 2*turn {
				w.trunk(a, b, y1, y2)
			} else {
				w.curve(a, b, y1, y2)
			}
		}
		out = append(out, w)
	}
	return out
}

// sides that an edge leaves and meets.
func (s *sheet) sides(e *Edge) (from, to bool) {
	a, b := s.cards[e.From], s.cards[e.To]
	if a.x == b.x {
		return true, true
	}
	return a.x < b.x, a.x > b.x
}

// vertical says that an edge runs from one card to the next one in a stack.
func (s *sheet) vertical(e *Edge) bool {
	a, b := s.cards[e.From], s.cards[e.To]
	if a.x != b.x || e.From.Parent != nil || e.To.Parent != nil {
		return false
	}
	return !s.rows.between(a.x, min(a.y, b.y), max(a.y, b.y))
}

// ports of each side, from the top down by where the other ends are.
func (s *sheet) ports() map[side][]port {
	out := map[side][]port{}
	for _, e := range s.edges {
		if s.vertical(e) {
			continue
		}
		a, b := s.cards[e.From], s.cards[e.To]
		from, to := s.sides(e)
		out[side{a, from}] = append(out[side{a, from}], port{e, b.middle()})
		out[side{b, to}] = append(out[side{b, to}], port{e, a.middle()})
	}
	for _, list := range out {
		slices.SortStableFunc(list, func(a, b port) int { return cmp.Compare(a.other, b.other) })
	}
	return out
}

// A meeting is an edge at a side.
type meeting struct {
	side
	*Edge
}

// offsets are how far from the middle of a side edges meet it.
func (s *sheet) offsets() map[meeting]float64 {
	out := map[meeting]float64{}
	for at, list := range s.ports() {
		at.offsets(list, func(e *Edge, offset float64) { out[meeting{at, e}] = offset })
	}
	return out
}

// offsets of the edges at a side: steps meet in the middle, other edges above and below them.
func (c side) offsets(ports []port, set func(e *Edge, offset float64)) {
	var above, below []*Edge
	steps := false
	for _, p := range ports {
		switch {
		case p.edge.Stage != none:
			steps = true
		case p.other < c.middle():
			above = append(above, p.edge)
		default:
			below = append(below, p.edge)
		}
	}
	if !steps && len(above)+len(below) == 1 {
		return
	}
	space := min(14, (c.h/2-8)/float64(max(len(above), len(below), 1)))
	for i, e := range above {
		set(e, -space*float64(len(above)-i))
	}
	for i, e := range below {
		set(e, space*float64(i+1))
	}
}

// head is how far before a card an arrow's line ends.
const head = 2

// straight runs down or up between two cards of a stack.
func (w *wire) straight(a, b *card) {
	x := a.x + a.w/2
	from, to := a.bottom(), b.y-head
	if b.y < a.y {
		from, to = a.y, b.bottom()+head
	}
	w.path = fmt.Sprintf("M%s %sV%s", num(x), num(from), num(to))
	w.x, w.y, w.down = x, (from+to)/2, true
}

// curve runs between two lanes.
func (w *wire) curve(a, b *card, y1, y2 float64) {
	x1, x2 := a.right(), b.x-head
	if b.x < a.x {
		x1, x2 = a.x, b.right()+head
	}
	if math.Abs(y1-y2) < 1 {
		w.path = fmt.Sprintf("M%s %sH%s", num(x1), num(y1), num(x2))
	} else {
		mid := (x1 + x2) / 2
		w.path = fmt.Sprintf("M%s %sC%s %s %s %s %s %s", num(x1), num(y1), num(mid), num(y1), num(mid), num(y2), num(x2), num(y2))
	}
	w.x, w.y = x1+(x2-x1)*bezier(0.62), y1+(y2-y1)*ease(0.62)
}

// turn is the radius of a corner.
const turn = 12.0

// fansOut reports whether a step leads to so many cards that their lines share a trunk.
func (s *sheet) fansOut(e *Edge) bool { return e.Stage != none && s.fans[fan{e.From, e.Stage}] > 1 }

// trunk runs to one of many cards, along a line that all of them share.
func (w *wire) trunk(a, b *card, y1, y2 float64) {
	x1, x2 := a.right(), b.x-head
	x, down := x1+22, math.Copysign(turn, y2-y1)
	w.path = fmt.Sprintf("M%s %sH%sQ%s %s %s %sV%sQ%s %s %s %sH%s", num(x1), num(y1), num(x-turn), num(x), num(y1), num(x), num(y1+down),
		num(y2-down), num(x), num(y2), num(x+turn), num(y2), num(x2))
	w.x, w.y = (x+x2)/2, y2
}

// bezier and ease are where a curve with level ends is, across and down.
func bezier(t float64) float64 { return 1.5*t*(1-t)*(1-t) + 1.5*t*t*(1-t) + t*t*t }
func ease(t float64) float64   { return 3*t*t - 2*t*t*t }

// arc runs beside a stack.
func (w *wire) arc(a, b *card, y1, y2 float64) {
	x1, x2 := a.right(), b.right()+head
	out := max(x1, x2) + min(16+math.Abs(y1-y2)/12, 44)
	w.path = fmt.Sprintf("M%s %sC%s %s %s %s %s %s", num(x1), num(y1), num(out), num(y1), num(out), num(y2), num(x2), num(y2))
	w.x, w.y, w.quiet = x1+(out-x1)*3/4, (y1+y2)/2, true
}

// around runs below the cards of the lanes between.
func (s *sheet) around(w *wire, y1, y2 float64) {
	a, b := s.cards[w.From], s.cards[w.To]
	band := w.From.band
	if band == nil {
		band = w.To.band
	}
	y := max(a.bottom(), b.bottom()) + 12
	if f := s.frameOf[band]; f != nil {
		y = f.y + f.h - 10 - 10*float64(s.below[band])
	}
	s.below[band]++
	beside := 20 + 4*float64(s.below[band]%4)
	x1, x2, out, in := a.right(), b.x-head, a.right()+beside, b.x-beside
	if b.x < a.x {
		x1, x2, out, in = a.x, b.right()+head, a.x-beside, b.right()+beside
	}
	w.path = fmt.Sprintf("M%s %sL%s %sL%s %sL%s %sL%s %sL%s %s", num(x1), num(y1), num(out), num(y1),
		num(out), num(y), num(in), num(y), num(in), num(y2), num(x2), num(y2))
	w.x, w.y = (out+in)/2, y
}

// num writes a coordinate with at most one decimal.
func num(v float64) string {
	return strconv.FormatFloat(math.Round(v*10)/10+0, 'f', -1, 64)
}

// line is the style of an edge.
func (e *Edge) line() string {
	switch {
	case e.State == wiring.Missing:
		return "missing"
	case e.Stage != none:
		return "step"
	default:
		return "ref"
	}
}
