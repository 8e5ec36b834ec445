package graph

import (
	"slices"
	"strings"

	"github.com/inferstack/inferstack/wiring"
)

// pickerOf is the endpoint picker of a pool, and the port it is asked at.
func (b *builder) pickerOf(pool *Node) (*Node, string) {
	for _, e := range b.from(pool.Ref, "asks") {
		if n := b.workloadOf(e.To); n != nil {
			return n, e.Detail
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
	for _, e := range b.from(service.Ref, "selects") {
		if n := b.node(e.To); n != nil {
			return n
		}
	}
	return nil
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

// bypassed reports whether requests to a Service go where a picker says instead: all routes
// to it have a filter.
func (b *builder) bypassed(service *Node) bool {
	return !slices.ContainsFunc(b.sources(service.Ref, "routes to"), func(route *Node) bool { return !b.askers.filtered[route] })
}

// askers are who asks an endpoint picker besides the routes of its pool.
type askers struct {
	// of a picker, filters and proxies in the order of the nodes.
	of map[*Node][]*Node
	// filtered are the routes that have a filter.
	filtered map[*Node]bool
}

func (b *builder) findAskers() askers {
	a := askers{map[*Node][]*Node{}, map[*Node]bool{}}
	for _, n := range b.picture.Nodes {
		var pickers nodes
		switch {
		case n.Role == Filter:
			for _, route := range b.filtered(n) {
				a.filtered[route] = true
			}
			for _, e := range b.from(n.Ref, "asks") {
				pickers.add(b.workloadOf(e.To))
			}
		case n.Role == Gateway && n.Object != nil:
			for _, service := range b.picked(n.Object) {
				pickers.add(b.workloadOf(service.Ref))
			}
		}
		for _, picker := range pickers.list {
			a.of[picker] = append(a.of[picker], n)
		}
	}
	return a
}
