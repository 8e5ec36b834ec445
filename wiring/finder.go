package wiring

// A finder is data, which costs a program that asks no rule nothing as it starts.
type finder interface{ find(g *G, r *report) }

// of looks at the things that a graph has of a kind.
type of[T any] struct {
	things func(*G) []T
	look   func(g *G, r *report, thing T)
}

func (f of[T]) find(g *G, r *report) {
	for _, thing := range f.things(g) {
		f.look(g, r, thing)
	}
}

func allObjects(g *G) []*Object { return g.Objects }
func allEdges(g *G) []Edge      { return g.Edges }
func allPods(g *G) []*Pods      { return g.Pods }
func allEPPs(g *G) []*epp       { return g.epps }

// ofKinds looks at the objects of some kinds.
type ofKinds struct {
	kinds []string
	look  func(g *G, r *report, o *Object)
}

func (f ofKinds) find(g *G, r *report) {
	for _, o := range g.Kinds(f.kinds...) {
		f.look(g, r, o)
	}
}

// visit2 looks at the pairs that a walk over a graph comes by.
type visit2[A, B any] struct {
	walk func(*G, func(A, B))
	look func(g *G, r *report, a A, b B)
}

func (f visit2[A, B]) find(g *G, r *report) {
	f.walk(g, func(a A, b B) { f.look(g, r, a, b) })
}

// visit3 is visit2 for walks that come by three things at a time.
type visit3[A, B, C any] struct {
	walk func(*G, func(A, B, C))
	look func(g *G, r *report, a A, b B, c C)
}

func (f visit3[A, B, C]) find(g *G, r *report) {
	f.walk(g, func(a A, b B, c C) { f.look(g, r, a, b, c) })
}

// inContainers looks at containers, with the pods that they are in.
type inContainers = visit2[*Pods, *container]
