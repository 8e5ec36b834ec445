package graph

import "slices"

// group puts what only one path uses, and what is near to it, into a band.
func (b *builder) group() {
	b.countUses()
	for _, p := range b.picture.Paths {
		band := &Band{Title: p.Title, Namespace: p.Namespace}
		for _, step := range p.Steps {
			for _, e := range step.Edges {
				for _, n := range []*Node{e.From, e.To} {
					b.join(n, band)
				}
			}
		}
		if len(band.Nodes) > 0 {
			b.picture.Bands = append(b.picture.Bands, band)
		}
	}
	b.draw()
	b.strays()
	b.routesTogether()
}

// routesTogether takes the routes out of the bands where one is in none: those of all bands and
// those of none stand in one column, before the bands.
func (b *builder) routesTogether() {
	if !slices.ContainsFunc(b.picture.Nodes, func(n *Node) bool { return n.Lane == Routing && n.band == nil }) {
		return
	}
	for _, band := range b.picture.Bands {
		band.Nodes = slices.DeleteFunc(band.Nodes, func(n *Node) bool { return n.Lane == Routing })
	}
	for _, n := range b.picture.Nodes {
		if n.Lane == Routing {
			n.band = nil
		}
	}
}

// join puts a node into a band; a route of several paths is in none.
func (b *builder) join(n *Node, band *Band) {
	if n.Lane < Routing || n.band != nil || n.Lane == Routing && b.uses[n] > 1 {
		return
	}
	n.band = band
	band.Nodes = append(band.Nodes, n)
	if band.Model == "" {
		band.Model = n.traits.Model
	}
}

// uses counts the paths over each node.
func (b *builder) countUses() {
	b.uses = map[*Node]int{}
	last := map[*Node]*Path{}
	for _, p := range b.picture.Paths {
		for _, step := range p.Steps {
			for _, e := range step.Edges {
				for _, n := range []*Node{e.From, e.To} {
					if last[n] != p {
						last[n] = p
						b.uses[n]++
					}
				}
			}
		}
	}
}

// draw takes into a band what is tied to it by a reference or as a part.
func (b *builder) draw() {
	for range mostRounds {
		if !b.pullAll() {
			return
		}
	}
	b.pullOn()
}

// mostRounds is more than it takes to reach all by the edges in their order, but for long
// rows of objects of which each refers to the one before.
const mostRounds = 8

// pullAll goes over all edges once, and reports whether anything was taken in.
func (b *builder) pullAll() bool {
	changed := false
	for _, n := range b.picture.Nodes {
		if n.Parent != nil {
			changed = b.pull(n, n.Parent) || changed
		}
	}
	for _, e := range b.picture.Edges {
		if e.From.Parent == nil && e.To.Parent == nil {
			changed = b.pull(e.From, e.To) || changed
			changed = b.pull(e.To, e.From) || changed
		}
	}
	return changed
}

// pull takes a node into the band of another one.
func (b *builder) pull(n, to *Node) bool {
	if n.band != nil || to.band == nil || n.Lane < Routing || b.uses[n] > 0 {
		return false
	}
	n.band = to.band
	to.band.Nodes = append(to.band.Nodes, n)
	return true
}

// pullOn follows what is tied to each node that is in a band.
func (b *builder) pullOn() {
	tied := map[*Node][]*Node{}
	tie := func(a, b *Node) { tied[a], tied[b] = append(tied[a], b), append(tied[b], a) }
	for _, e := range b.picture.Edges {
		if e.From.Parent == nil && e.To.Parent == nil {
			tie(e.From, e.To)
		}
	}
	var queue []*Node
	for _, n := range b.picture.Nodes {
		if n.band != nil {
			queue = append(queue, n)
		}
		if n.Parent != nil {
			tied[n.Parent] = append(tied[n.Parent], n)
		}
	}
	for ; len(queue) > 0; queue = queue[1:] {
		for _, n := range tied[queue[0]] {
			if b.pull(n, queue[0]) {
				queue = append(queue, n)
			}
		}
	}
}

// strays go into a band of their own.
func (b *builder) strays() {
	var rest *Band
	for _, n := range b.picture.Nodes {
		if n.band == nil && n.Lane >= Picking && n.Parent == nil {
			if rest == nil {
				rest = &Band{}
				b.picture.Bands = append(b.picture.Bands, rest)
			}
			n.band = rest
			rest.Nodes = append(rest.Nodes, n)
		}
	}
	for _, n := range b.picture.Nodes {
		if n.Parent != nil && n.band == nil && n.Parent.band != nil {
			n.band = n.Parent.band
			n.band.Nodes = append(n.band.Nodes, n)
		}
	}
}
