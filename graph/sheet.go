package graph

import (
	"cmp"
	"slices"

	"github.com/inferstack/inferstack/internal/lists"
	"github.com/inferstack/inferstack/wiring"
)

const (
	margin    = 20.0
	bandPad   = 16.0
	bandTitle = 28.0
	bandGap   = 18.0
	cardGap   = 18.0
	stepGap   = 46.0 // where a numbered edge runs from one card down to the next
	partGap   = 8.0
	laneHead  = 26.0
)

// A frame is a band with its place.
type frame struct {
	*Band
	x, y, w, h float64
}

// A sheet is a picture with places.
type sheet struct {
	*Picture
	cards   map[*Node]*card
	left    [lanes]float64
	used    [lanes]bool
	frames  []*frame
	frameOf map[*Band]*frame
	// labels over the parts of a node, where all is drawn.
	labels []line
	// edges that are drawn: not those between a part and what it stands under.
	edges []*Edge
	// brief says that there are so many bands that each is told in few words.
	brief bool
	*plan
	rows rows
	// below counts the edges that run below the cards of a band.
	below  map[*Band]int
	first  Lane // of the bands
	width  float64
	height float64
}

// newSheet finds a place for everything. The lanes are given by what the objects do, and
// the bands by what they belong to, so that all a layout has to find is the height of
// each stack; edges run between lanes and never through a card.
func newSheet(p *Picture) *sheet {
	s := &sheet{Picture: p, cards: map[*Node]*card{}, below: map[*Band]int{}, frameOf: map[*Band]*frame{}}
	s.brief = len(p.Paths) > 2
	for _, e := range p.Edges {
		if e.State == wiring.Missing || e.From.Parent != e.To && e.To.Parent != e.From {
			s.edges = append(s.edges, e)
		}
	}
	s.plan = newPlan(p, s.edges)
	s.columns()
	y := margin
	if slices.Contains(s.used[:], true) {
		y += laneHead
	}
	for _, b := range p.Bands {
		if b.Title != "" {
			f := s.frame(b, y)
			f.h = s.stack(f)
			y = f.y + f.h + bandGap
		}
	}
	for lane := Routing; lane >= Client; lane-- {
		y = max(y, s.shared(lane)+bandGap)
	}
	for _, b := range p.Bands {
		if b.Title == "" {
			f := s.frame(b, y)
			f.x, f.w = margin, s.width-2*margin
			f.h = s.grid(f)
			y = f.y + f.h + bandGap
		}
	}
	s.height = y
	s.rows = s.findRows()
	return s
}

func (s *sheet) frame(b *Band, y float64) *frame {
	x := s.left[s.first] - bandPad
	f := &frame{Band: b, x: x, y: y, w: s.width - margin - x}
	s.frames, s.frameOf[b] = append(s.frames, f), f
	return f
}

// columns finds out which lanes there are, and where.
func (s *sheet) columns() {
	s.first = lanes
	for _, n := range s.Nodes {
		if n.band != nil && n.band.Title == "" {
			continue
		}
		s.used[n.Lane] = true
		if n.band != nil {
			s.first = min(s.first, n.Lane)
		}
	}
	for _, n := range s.Nodes {
		if n.Lane == Routing && n.band == nil { // a route of several bands stands before them
			s.first = max(s.first, Picking)
		}
	}
	x, before := margin, false
	for lane, used := range s.used {
		if !used {
			continue
		}
		if before {
			x += gaps[lane]
		}
		if Lane(lane) == s.first {
			x += bandPad
		}
		s.left[lane] = x
		x += widths[lane]
		before = true
	}
	if s.first < lanes {
		x += bandPad
	}
	if slices.ContainsFunc(s.edges, func(e *Edge) bool {
		return e.From.Lane == Serving && e.To.Lane == Serving && (e.From.Parent != nil || e.To.Parent != nil)
	}) {
		x += 36 // for lines beside the last lane
	}
	s.width = max(x+margin, 3*widths[Serving]+2*cardGap+2*bandPad+2*margin)
	if s.first == lanes {
		s.first = Serving
	}
}

// lane is the stack of a band in a lane, with parts after what they are parts of.
func (s *sheet) lane(b *Band, lane Lane) []*card {
	var whole, parts []*Node
	for _, n := range s.in[berth{b, lane}] {
		if n.Parent != nil {
			parts = append(parts, n)
		} else {
			whole = append(whole, n)
		}
	}
	slices.SortStableFunc(whole, func(a, b *Node) int { return cmp.Compare(rank(a), rank(b)) })
	place := map[*Node]int{}
	for i, n := range whole {
		place[n] = i + 1 // 0 is that of what is not here
	}
	slices.SortStableFunc(parts, func(a, b *Node) int { return cmp.Compare(place[a.Parent], place[b.Parent]) })
	return lists.Map(append(whole, parts...), s.card)
}

func (s *sheet) card(n *Node) *card {
	if s.cards[n] == nil {
		s.cards[n] = newCard(n, widths[n.Lane], s.brief)
	}
	return s.cards[n]
}

// rank orders a stack: prefill stands over decode, so that the way in goes straight from
// the pool and then up.
func rank(n *Node) int {
	switch n.Role {
	case Prefill, Encode, Route, Picker:
		return 0
	case Server, Filter, Pool:
		return 1
	default:
		return 2
	}
}
