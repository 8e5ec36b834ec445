package graph

import "slices"

// group puts what only one path uses, and what is near to it, into a band.
func (b *builder) group() {
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
}

// join puts a node into a band; a route of several paths is in none.
func (b *builder) join(n *Node, band *Band) {
	if n.Lane < Routing || n.band != nil || n.Lane == Routing && b.uses(n) > 1 {
		return
	}
	n.band = band
	band.Nodes = append(band.Nodes, n)
	if band.Model == "" {
		band.Model = n.traits.Model
	}
}

// uses counts the paths over a node.
func (b *builder) uses(n *Node) int {
	count := 0
	for _, p := range b.picture.Paths {
		if slices.ContainsFunc(p.Steps, func(s Step) bool {
			return slices.ContainsFunc(s.Edges, func(e *Edge) bool { return e.From == n || e.To == n })
		}) {
			count++
		}
	}
	return count
}

// draw takes into a band what is tied to it by a reference or as a part.
func (b *builder) draw() {
	for changed := true; changed; {
		changed = false
		pull := func(n, to *Node) {
			if n.band == nil && to.band != nil && n.Lane >= Routing && b.uses(n) == 0 {
				n.band, changed = to.band, true
				to.band.Nodes = append(to.band.Nodes, n)
			}
		}
		for _, n := range b.picture.Nodes {
			if n.Parent != nil {
				pull(n, n.Parent)
			}
		}
		for _, e := range b.picture.Edges {
			if e.From.Parent == nil && e.To.Parent == nil {
				pull(e.From, e.To)
				pull(e.To, e.From)
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
