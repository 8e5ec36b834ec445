package graph

import (
	"slices"
	"strconv"

	"github.com/inferstack/inferstack/wiring"
)

// edge is the edge between two nodes; the first stage that is said stays.
func (b *builder) edge(from, to *Node, stage Stage, detail string) *Edge {
	e := b.between[[2]*Node{from, to}]
	if e == nil {
		e = &Edge{From: from, To: to, State: wiring.Present}
		if to.State != wiring.Present {
			e.State = to.State
		}
		b.between[[2]*Node{from, to}] = e
		b.picture.Edges = append(b.picture.Edges, e)
	}
	if e.Stage == none {
		e.Stage = stage
	}
	if e.Detail == "" {
		e.Detail = detail
	}
	return e
}

// telling are the references that say something of the nodes even when one of the
// objects is folded into them.
var telling = map[string]bool{"attaches to": true, "routes to": true, "picks for": true, "asks": true, "dials": true, "patches": true}

// connect adds the references that are no steps.
func (b *builder) connect() {
	for _, e := range b.g.Edges {
		from, to := b.node(e.From), b.node(e.To)
		if from == nil || to == nil || from == to || e.State == wiring.Present && !b.tells(e, from, to) {
			continue
		}
		edge := b.between[[2]*Node{to, from}]
		if edge != nil && edge.Stage != none { // one line is enough
			edge.Back = addTo(edge.Back, e.Type)
			if e.State == wiring.Missing {
				edge.State = wiring.Missing
			}
			continue
		}
		edge = b.edge(from, to, none, "")
		if _, err := strconv.Atoi(e.Detail); err == nil && edge.Stage == none {
			edge.Detail = e.Detail
		}
		edge.Types = addTo(edge.Types, e.Type)
		for _, part := range []*Node{from, to} {
			if part.Parent == from || part.Parent == to {
				part.Kind = e.To.Kind + " · " + e.Type
				if part == from {
					part.Kind = e.From.Kind + " · " + e.Type + " it"
				}
			}
		}
		if e.State == wiring.Missing {
			edge.State = wiring.Missing
		}
	}
}

func addTo(list []string, item string) []string {
	if slices.Contains(list, item) {
		return list
	}
	return append(list, item)
}

// tells reports whether a reference is worth an edge.
func (b *builder) tells(e wiring.Edge, from, to *Node) bool {
	if b.all || telling[e.Type] {
		return true
	}
	return from.Ref == e.From && to.Ref == e.To && e.Type == "selects"
}
