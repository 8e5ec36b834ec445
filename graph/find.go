package graph

import (
	"slices"
	"strings"

	"github.com/inferstack/inferstack/wiring"
)

// pickerOf is the endpoint picker of a pool, and the port it is asked at.
func (b *builder) pickerOf(pool *Node) (*Node, string) {
	for _, e := range b.g.Edges {
		if e.Type == "asks" && e.From == pool.Ref {
			if n := b.workloadOf(e.To); n != nil {
				return n, e.Detail
			}
		}
	}
	for _, n := range b.sources(pool.Ref, "picks for") {
		return n, ""
	}
	return nil, ""
}

// workloadOf is the node that answers for a Service: the workload it selects, or that of
// the Service it is another name of, or what stands for the missing Service.
func (b *builder) workloadOf(ref wiring.Ref) *Node {
	o := b.g.Object(ref)
	if o == nil {
		return b.ghosts[ref]
	}
	if n := b.selected(o); n != nil {
		return n
	}
	host := strings.Split(read(o).at("spec", "externalName").text(), ".")
	if len(host) < 3 || host[2] != "svc" {
		return nil
	}
	if o = b.g.Object(wiring.Ref{Kind: "Service", Namespace: host[1], Name: host[0]}); o == nil {
		return nil
	}
	return b.selected(o)
}

// selected is the workload that a Service selects.
func (b *builder) selected(service *wiring.Object) *Node {
	for _, e := range b.from(service, "selects") {
		if n := b.node(e.To); n != nil {
			return n
		}
	}
	return nil
}

// sources are the nodes with such a reference to an object.
func (b *builder) sources(to wiring.Ref, kind string) []*Node {
	var out []*Node
	for _, e := range b.g.Edges {
		if e.Type == kind && e.To == to {
			if n := b.node(e.From); n != nil && !slices.Contains(out, n) {
				out = append(out, n)
			}
		}
	}
	return out
}

// targets are the nodes that a node's object refers to so.
func (b *builder) targets(n *Node, kind string) []*Node {
	var out []*Node
	for _, e := range b.g.Edges {
		if e.Type == kind && e.From == n.Ref {
			if to := b.node(e.To); to != nil && !slices.Contains(out, to) {
				out = append(out, to)
			}
		}
	}
	return out
}

// asks says whether a filter's cluster is the picker.
func (b *builder) asks(filter, picker *Node) bool {
	return slices.ContainsFunc(b.from(filter.Object, "asks"), func(e wiring.Edge) bool { return b.workloadOf(e.To) == picker })
}

// proxies says whether a proxy's bootstrap asks the picker.
func (b *builder) proxies(proxy, picker *Node) bool {
	return slices.ContainsFunc(b.picked(proxy.Object), func(s *wiring.Object) bool { return b.workloadOf(s.Ref) == picker })
}

// filtered are the routes that a filter is on: those it names, else all of its Gateways.
func (b *builder) filtered(filter *Node) []*Node {
	var routes, all []*Node
	for _, n := range b.targets(filter, "patches") {
		if n.Role == Route {
			routes = append(routes, n)
			continue
		}
		all = append(all, b.sources(n.Ref, "attaches to")...)
	}
	if len(routes) > 0 {
		return routes
	}
	return all
}

// bypassed says whether requests to a Service go where a picker says instead: all routes
// to it have a filter.
func (b *builder) bypassed(service *Node) bool {
	routes := b.sources(service.Ref, "routes to")
	for _, n := range b.picture.Nodes {
		if n.Role == Filter {
			on := b.filtered(n)
			routes = slices.DeleteFunc(routes, func(r *Node) bool { return slices.Contains(on, r) })
		}
	}
	return len(routes) == 0
}
