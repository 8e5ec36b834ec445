package graph

import (
	"cmp"
	"math"
	"slices"

	"github.com/inferstack/inferstack/wiring"
)

// stack places a band's cards and returns the band's height.
func (s *sheet) stack(f *frame) float64 {
	var stacks [lanes][]*card
	for lane := Routing; lane < lanes; lane++ {
		stacks[lane] = s.lane(f.Band, lane)
		y := 0.0
		for i, c := range stacks[lane] {
			if i > 0 {
				y += s.gap(stacks[lane][i-1], c)
			}
			c.x, c.y = s.left[lane], y
			y += c.h
		}
	}
	s.align(f.Band, stacks[Routing], Routing, ask)
	s.align(f.Band, stacks[Serving], Serving, serve)
	top, bottom := math.Inf(1), 0.0
	for _, stack := range stacks {
		for _, c := range stack {
			top = min(top, c.y)
		}
	}
	for _, stack := range stacks {
		for i, c := range stack {
			c.y += f.y + bandTitle - top
			bottom = max(bottom, c.bottom())
			if c.Parent != nil && (i == 0 || stack[i-1].Parent != c.Parent) {
				s.labels = append(s.labels, line{"holds", kindFont.wrap("of "+c.Parent.Name, c.w, 1)[0], c.x, c.y - 6})
			}
		}
	}
	return bottom + bandPad + 10*float64(s.skips(f.Band)) - f.y
}

// gap between two cards of a stack.
func (s *sheet) gap(a, b *card) float64 {
	switch {
	case b.Parent != nil && b.Parent != a.Parent:
		return 30
	case b.Parent != nil:
		return partGap
	}
	if s.close[[2]*Node{a.Node, b.Node}] || s.close[[2]*Node{b.Node, a.Node}] {
		return stepGap
	}
	return cardGap
}

// draws reports whether an edge is more than a reference.
func (e *Edge) draws() bool { return e.Stage != none || e.State == wiring.Missing }

// align moves a band's stack in a lane so that a step to or from that of the pickers runs level.
func (s *sheet) align(b *Band, stack []*card, lane Lane, stage Stage) {
	in := func(n *Node, lane Lane) bool { return n.band == b && n.Lane == lane }
	for _, e := range s.of[b] {
		from, to := e.From, e.To
		if e.Stage != stage && e.Stage != hand {
			continue
		}
		if in(from, Picking) {
			from, to = to, from
		}
		if in(from, lane) && in(to, Picking) {
			shift := s.cards[to].middle() - s.cards[from].middle()
			for _, c := range stack {
				c.y += shift
			}
			return
		}
	}
}

// skips counts the edges of a band that pass over a lane: they run below its cards.
func (s *sheet) skips(b *Band) int {
	count := 0
	for _, e := range s.of[b] {
		if s.skipping(e) && (e.From.band == b || e.From.band == nil && e.To.band == b) {
			count++
		}
	}
	return count
}

// skipping reports whether cards of a lane between are in the way.
func (s *sheet) skipping(e *Edge) bool {
	low, high := min(e.From.Lane, e.To.Lane), max(e.From.Lane, e.To.Lane)
	for lane := low + 1; lane < high; lane++ {
		for _, b := range []*Band{nil, e.From.band, e.To.band} {
			if len(s.in[berth{b, lane}]) > 0 {
				return true
			}
		}
	}
	return false
}

// grid places the cards of a band without a title side by side, and returns its height.
func (s *sheet) grid(f *frame) float64 {
	x, y, bottom := f.x+bandPad, f.y+bandTitle, 0.0
	for _, n := range f.Nodes {
		c := s.card(n)
		if x+c.w > f.x+f.w-bandPad && x > f.x+bandPad {
			x, y = f.x+bandPad, bottom+cardGap
		}
		c.x, c.y = x, y
		x += c.w + cardGap
		bottom = max(bottom, c.bottom())
	}
	return bottom + bandPad - f.y
}

// shared places the cards of a lane that are in no band, each in the middle of what it
// leads to, and returns where they end.
func (s *sheet) shared(lane Lane) float64 {
	var stack []*card
	for _, n := range s.in[berth{nil, lane}] {
		if n.Parent == nil {
			stack = append(stack, s.card(n))
		}
	}
	for _, c := range stack {
		c.x = s.left[lane]
		c.y = max(margin+laneHead, s.wish(c.Node)-c.h/2)
	}
	slices.SortStableFunc(stack, func(a, b *card) int { return cmp.Compare(a.y, b.y) })
	y := margin + laneHead
	for _, c := range stack {
		c.y = max(c.y, y)
		y = c.bottom() + cardGap
		for _, n := range s.parts[c.Node] {
			part := s.card(n)
			part.x, part.y = c.x, y
			y = part.bottom() + partGap
		}
	}
	return y
}

// wish is the height that a card's edges to the right wish it to have.
func (s *sheet) wish(n *Node) float64 {
	low, high := math.Inf(1), math.Inf(-1)
	for _, e := range s.from[n] {
		if to := s.cards[e.To]; to != nil && e.To.Lane > n.Lane {
			low, high = min(low, to.middle()), max(high, to.middle())
		}
	}
	if math.IsInf(low, 1) {
		return 0
	}
	return (low + high) / 2
}
