package graph

import (
	"slices"

	"github.com/inferstack/inferstack/wiring"
)

// A way is the road to one backend while it is found.
type way struct {
	to     *Node
	stages [stages][]*Edge
	have   map[passage]bool
}

// A passage is an edge at a stage.
type passage struct {
	Stage
	*Edge
}

func (w *way) add(s Stage, e *Edge) {
	at := passage{s, e}
	if w.have[at] {
		return
	}
	if w.have == nil {
		w.have = map[passage]bool{}
	}
	w.have[at] = true
	w.stages[s] = append(w.stages[s], e)
}

// follow finds the way of a request to each pool, and to each Service that no picker
// stands before.
func (b *builder) follow() {
	var ways []*way
	b.askers = b.findAskers()
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
		if asked := "ext_proc :" + port; !slices.Contains(picker.Facts, asked) {
			picker.Facts = slices.Insert(picker.Facts, 0, asked)
		}
	}
	for _, r := range b.sources(pool.Ref, "routes to") {
		b.enter(w, r)
		if picker != nil {
			w.add(ask, b.edge(r, picker, ask, port))
		} else {
			w.add(hand, b.edge(r, pool, hand, ""))
		}
	}
	for _, n := range b.askers.of[picker] {
		if n.Role == Gateway {
			w.add(enter, b.edge(b.caller(), n, enter, ""))
		}
		if n.Role == Filter {
			for _, r := range b.filtered(n) {
				b.enter(w, r)
				w.add(patched, b.edge(r, n, patched, ""))
			}
		}
		w.add(ask, b.edge(n, picker, ask, port))
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

// serve is the way from a pool or Service to the pods. Pods that only prefill or encode are
// asked by the sidecars of the others; where there is no sidecar the picker's choice is all.
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
		if n.Role == Prefill || n.Role == Encode {
			prefills = append(prefills, n)
		} else {
			decodes = append(decodes, n)
		}
	}
	for i, d := range decodes {
		w.add(serve, b.edge(backend, d, serve, port))
		if d.traits.Sidecar {
			for _, p := range b.crossing(i, decodes, prefills) {
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

// mostCrossing is how many lines may cross between the two sides of a pool. Of more nothing
// could be seen.
const mostCrossing = 400

// crossing are the prefill pods to which the lines of the i-th decode pods are drawn: where
// they are very many, all of one side to the first of the other.
func (b *builder) crossing(i int, decodes, prefills []*Node) []*Node {
	if i == 0 || len(decodes)*len(prefills) <= mostCrossing {
		return prefills
	}
	b.picture.Omitted += len(prefills) - 1
	return prefills[:1]
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
