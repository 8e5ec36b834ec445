package graph

import (
	"slices"

	"github.com/inferstack/inferstack/wiring"
)

// references finds the edges of an object, by their type.
type references struct {
	from, to map[reference][]*wiring.Edge
}

type reference struct {
	end  wiring.Ref
	kind string
}

func newReferences(edges []wiring.Edge) references {
	r := references{map[reference][]*wiring.Edge{}, map[reference][]*wiring.Edge{}}
	for i := range edges {
		e := &edges[i]
		from, to := reference{e.From, e.Type}, reference{e.To, e.Type}
		r.from[from] = append(r.from[from], e)
		r.to[to] = append(r.to[to], e)
	}
	return r
}

// from are the references of an object of a type.
func (b *builder) from(of wiring.Ref, kind string) []*wiring.Edge {
	return b.references.from[reference{of, kind}]
}

// referred reports whether an object of the set is referred to by a type.
func (b *builder) referred(o *wiring.Object, kind string) bool {
	return slices.ContainsFunc(b.references.to[reference{o.Ref, kind}], func(e *wiring.Edge) bool { return e.State == wiring.Present })
}

// sources are the nodes with such a reference to an object.
func (b *builder) sources(to wiring.Ref, kind string) []*Node {
	var out nodes
	for _, e := range b.references.to[reference{to, kind}] {
		out.add(b.node(e.From))
	}
	return out.list
}

// targets are the nodes that a node's object refers to so.
func (b *builder) targets(n *Node, kind string) []*Node {
	var out nodes
	for _, e := range b.from(n.Ref, kind) {
		out.add(b.node(e.To))
	}
	return out.list
}

// nodes are a list in which each is once.
type nodes struct {
	list []*Node
	have map[*Node]bool
}

func (s *nodes) add(n *Node) {
	if n == nil || s.have[n] {
		return
	}
	if s.have == nil {
		s.have = map[*Node]bool{}
	}
	s.have[n] = true
	s.list = append(s.list, n)
}
