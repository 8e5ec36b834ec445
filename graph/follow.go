package graph

import (
	"slices"

	"github.com/inferstack/inferstack/wiring"
)

// A way is the road to one backend while it is found.
type way struct {
	to     *Node
	stages [stages][]*Edge
}

func (w *way) add(s Stage, e *Edge) {
	if !slices.Contains(w.stages[s], e) {
		w.stages[s] = append(w.stages[s], e)
	}
}

// follow finds the way of a request to each pool, and to each Service that no picker
// stands before.
func (b *builder) follow() {
	var ways []*way
	for _, n := range slices.Clone(b.picture.Nodes) {
		if n.Role == Pool {
			ways = append(ways, b.toPool(n))
		}
	}
	for _, n := range slices.Clone(b.picture.Nodes) {
		if n.Role == Service && !b.bypassed(n) {
			ways = append(ways, b.toService(n))
		}
	}
	for s := none + 1; s < stages; s++ {
		if slices.ContainsFunc(ways, func(w *way) bool { return len(w.stages[s]) > 0 }) {
			b.picture.numbers[s] = len(b.picture.numbers) + 1
		}
	}
	for _, w := range ways {
		p := &Path{Title: w.to.Name, Namespace: w.to.Ref.Namespace}
		for s, edges := range w.stages {
			if len(edges) > 0 {
				p.Steps = append(p.Steps, Step{b.picture.numbers[Stage(s)], Stage(s).text(edges), edges})
			}
		}
		if len(p.Steps) > 0 {
			b.picture.Paths = append(b.picture.Paths, p)
		}
	}
}

// toPool is the way to a pool.
func (b *builder) toPool(pool *Node) *way {
	w := &way{to: pool}
	picker, port := b.pickerOf(pool)
	if picker != nil && port != "" && picker.State == wiring.Present {
		picker.Facts = slices.Insert(picker.Facts, 0, "ext_proc :"+port)
	}
	for _, r := range b.sources(pool.Ref, "routes to") {
		b.enter(w, r)
		if picker != nil {
			w.add(ask, b.edge(r, picker, ask, port))
		} else {
			w.add(hand, b.edge(r, pool, hand, ""))
		}
	}
	for _, n := range slices.Clone(b.picture.Nodes) {
		switch {
		case picker == nil:
		case n.Role == Filter && b.asks(n, picker):
			for _, r := range b.filtered(n) {
				b.enter(w, r)
				w.add(patched, b.edge(r, n, patched, ""))
			}
			w.add(ask, b.edge(n, picker, ask, port))
		case n.Role == Gateway && n.Object != nil && b.proxies(n, picker):
			w.add(enter, b.edge(b.caller(), n, enter, ""))
			w.add(ask, b.edge(n, picker, ask, port))
		}
	}
	if picker != nil && picker.State == wiring.Present {
		w.add(pick, b.edge(picker, pool, pick, ""))
	}
	b.serve(w, pool)
	return w
}

// enter is the way from the client to a route.
func (b *builder) enter(w *way, route *Node) {
	for _, g := range b.targets(route, "attaches to") {
		w.add(enter, b.edge(b.caller(), g, enter, ""))
		w.add(match, b.edge(g, route, match, ""))
	}
}

// serve is the way from a pool or Service to the pods. Pods that only prefill are asked
// by the sidecars of the others; where there is no sidecar the picker's choice is all.
func (b *builder) serve(w *way, backend *Node) {
	port := ""
	if o := read(backend.Object).at("spec"); backend.Role == Pool {
		if ports := o.at("targetPorts").list(); len(ports) > 0 {
			port = ports[0].at("number").text()
		} else {
			port = o.at("targetPortNumber").text()
		}
	}
	var decodes, prefills []*Node
	for _, n := range b.targets(backend, "selects") {
		if n.Role == Prefill {
			prefills = append(prefills, n)
		} else {
			decodes = append(decodes, n)
		}
	}
	for _, d := range decodes {
		w.add(serve, b.edge(backend, d, serve, port))
		for _, p := range prefills {
			if d.traits.Sidecar {
				w.add(prefill, b.edge(d, p, prefill, ""))
			}
		}
	}
	if len(decodes) == 0 {
		for _, p := range prefills {
			w.add(serve, b.edge(backend, p, serve, port))
		}
	}
}

// toService is the way to a Service.
func (b *builder) toService(service *Node) *way {
	w := &way{to: service}
	for _, r := range b.sources(service.Ref, "routes to") {
		b.enter(w, r)
		w.add(hand, b.edge(r, service, hand, ""))
	}
	b.serve(w, service)
	return w
}

// caller is the client.
func (b *builder) caller() *Node {
	if b.client == nil {
		b.client = &Node{Role: Caller, Lane: Client, Name: "Client", State: wiring.Present}
		b.picture.Nodes = slices.Insert(b.picture.Nodes, 0, b.client)
	}
	return b.client
}
