package graph

import "slices"

// A plan finds the nodes and edges of a sheet by where they are.
type plan struct {
	// in are the nodes of a band's lane; those of no band are in that of the band nil.
	in map[berth][]*Node
	// parts of a node, in the order of the nodes.
	parts map[*Node][]*Node
	// of a band are the edges of its nodes, and from a node those that leave it.
	of   map[*Band][]*Edge
	from map[*Node][]*Edge
	// close are nodes between which a step or a missing reference runs.
	close map[[2]*Node]bool
	// fans are how many edges of a stage leave a node.
	fans map[fan]int
}

// A berth is a lane of a band.
type berth struct {
	*Band
	Lane
}

type fan struct {
	*Node
	Stage
}

func newPlan(p *Picture, edges []*Edge) *plan {
	out := &plan{map[berth][]*Node{}, map[*Node][]*Node{}, map[*Band][]*Edge{}, map[*Node][]*Edge{}, map[[2]*Node]bool{}, map[fan]int{}}
	for _, n := range p.Nodes {
		at := berth{n.band, n.Lane}
		out.in[at] = append(out.in[at], n)
		if n.Parent != nil {
			out.parts[n.Parent] = append(out.parts[n.Parent], n)
		}
	}
	for _, e := range edges {
		out.from[e.From] = append(out.from[e.From], e)
		out.fans[fan{e.From, e.Stage}]++
		if e.draws() {
			out.close[[2]*Node{e.From, e.To}] = true
		}
		for _, b := range slices.Compact([]*Band{e.From.band, e.To.band}) {
			out.of[b] = append(out.of[b], e)
		}
	}
	return out
}

// row is a row of cards by their heights, of all that stand at one place across.
type rows map[float64][]float64

func (s *sheet) findRows() rows {
	out := rows{}
	for _, c := range s.cards {
		out[c.x] = append(out[c.x], c.y)
	}
	for x := range out {
		slices.Sort(out[x])
	}
	return out
}

// between reports whether a card is between two heights.
func (r rows) between(x, low, high float64) bool {
	row := r[x]
	i, _ := slices.BinarySearch(row, low)
	for i < len(row) && row[i] <= low {
		i++
	}
	return i < len(row) && row[i] < high
}
