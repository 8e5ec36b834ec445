package wiring

import "slices"

// A thousand Services of which each selects all of a thousand Deployments make a million
// pairs. As long as all selectors together take no more than enoughTaken pods, and perObject
// for each object, every pair is looked at. Beyond that the first mostTaken of each selector
// are, and rule selection-cut says so. Likewise of what serves one pool together: of two rows
// of mostPaired each every pair is looked at.
const (
	enoughTaken = 10_000
	perObject   = 20
	mostTaken   = 20
	mostPaired  = 100
)

// selecting are the kinds that select pods, or Services.
var selectingKinds = []string{"Service", "InferencePool", "PodDisruptionBudget", "NetworkPolicy", "PodMonitor", "ServiceMonitor"}

var limitRules = []Rule{{
	ID: "selection-cut", Severity: Info,
	Doc: "An object selects very many others, in a set in which most do, or a pool joins very many workloads that prefill with as many that " +
		"decode. To look at each pair would take hours, so that only the first ones are checked.",
	find: findCut,
}}

func findCut(g *G, r *report) {
	for _, o := range g.Kinds(selectingKinds...) {
		if n := g.takenBy(o); n > mostTaken && g.crowded {
			r.add(o.in("spec"), Ref{}, "selects %d objects, of which the first %d are checked", n, mostTaken)
		} else if o.Kind == "InferencePool" {
			decodes, prefills := sides(g.selected(o, poolSelector(o)))
			if len(decodes)*len(prefills) > mostPaired*mostPaired {
				r.add(o.in("spec"), Ref{}, "joins %d workloads with a sidecar and %d that prefill, of which the first %d are checked together", len(decodes), len(prefills), mostPaired)
			}
		}
	}
}

// measure decides whether all that selectors take is looked at.
func (g *G) measure() {
	taken := 0
	for _, o := range g.Kinds(selectingKinds...) {
		taken += g.takenBy(o)
	}
	g.crowded = taken > enoughTaken+perObject*len(g.Objects)
}

// takenBy counts what an object selects.
func (g *G) takenBy(o *Object) int {
	switch o.Kind {
	case "Service":
		return len(g.pods.take(o.Namespace, matching(o.at("spec", "selector"))))
	case "InferencePool":
		return len(g.pods.take(o.Namespace, matching(poolSelector(o))))
	case "NetworkPolicy":
		return len(seen(o, g.pods, selecting(o.at("spec", "podSelector"))))
	case "ServiceMonitor":
		return len(seen(o, g.services, selecting(o.at("spec", "selector"))))
	default:
		return len(seen(o, g.pods, selecting(o.at("spec", "selector"))))
	}
}

// Unlinked is how many of what an object selects have no edge, since they are very many.
func (g *G) Unlinked(o *Object) int {
	if !g.crowded || !slices.Contains(selectingKinds, o.Kind) {
		return 0
	}
	return max(0, g.takenBy(o)-mostTaken)
}

// first is what is looked at of what a selector takes.
func first[T any](g *G, taken []T) []T {
	if g.crowded && len(taken) > mostTaken {
		return taken[:mostTaken:mostTaken]
	}
	return taken
}

// paired are two rows of which each is looked at with each.
func paired[A, B any](a []A, b []B) ([]A, []B) {
	if len(a)*len(b) > mostPaired*mostPaired {
		return a[:min(len(a), mostPaired)], b[:min(len(b), mostPaired)]
	}
	return a, b
}
