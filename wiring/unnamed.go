package wiring

import (
	"slices"
	"strings"

	"github.com/inferstack/inferstack/internal/lists"
)

// mostUnnamed is how many objects of a kind beside each other may have no reference to them for one to be
// taken for what a reference means; among more it is chance.
const mostUnnamed = 50

// findUnnamed are the objects that no reference names, by kind and namespace.
func (g *G) findUnnamed() map[slot][]*Object {
	named := map[Ref]bool{}
	for _, e := range g.Edges {
		named[e.To] = named[e.To] || e.State == Present
	}
	out := map[slot][]*Object{}
	for _, o := range g.Objects {
		if at := (slot{kind: o.Kind, namespace: o.Namespace}); !named[o.Ref] {
			out[at] = append(out[at], o)
		}
	}
	return out
}

// resembling is the object that no reference names and that one to something that is not in the set may
// mean, nil when there is none.
func (g *G) resembling(e Edge) *Object {
	if e.State != Prerequisite || templated(e.To.Name) {
		return nil
	}
	unnamed := g.unnamed()[slot{kind: e.To.Kind, namespace: e.To.Namespace}]
	if len(unnamed) > mostUnnamed {
		return nil
	}
	return lists.First(unnamed, func(o *Object) bool { return resembles(o.Name, e.To.Name) || resembles(e.To.Name, o.Name) })
}

// resembles reports whether the short name is the long one but for its last word, which is cut short
// or left out: llama-epp-conf and llama-epp, of llama-epp-config.
func resembles(short, long string) bool {
	cut := strings.LastIndexAny(short, "-_.")
	rest, begins := strings.CutPrefix(long, short)
	if cut < 0 || !begins || rest == "" || digits(rest) != "" {
		return false
	}
	if strings.ContainsAny(rest[:1], "-_.") {
		rest = rest[1:]
		return len(rest) > 1 && !strings.ContainsAny(rest, "-_.")
	}
	return len(short)-cut > 3 && !strings.ContainsAny(rest, "-_.")
}

// ofOtherKind is the object that a reference would name if it said another kind: the Role, where it says
// ClusterRole, or a workload of another kind.
func (g *G) ofOtherKind(e Edge) *Object {
	kinds := otherKinds[e.Type]
	if e.State == Present || templated(e.To.Name) || !slices.Contains(kinds, e.To.Kind) {
		return nil
	}
	for _, kind := range kinds {
		to := Ref{Kind: kind, Name: e.To.Name}
		if kind != "ClusterRole" {
			to.Namespace = e.From.Namespace
		}
		if o := g.Object(to); o != nil && kind != e.To.Kind && (e.State == Missing || g.isUnnamed(o)) {
			return o
		}
	}
	return nil
}

// otherKinds are the kinds of which references of a type may name one.
var otherKinds = map[string][]string{
	"grants": {"Role", "ClusterRole"},
	"scales": {"Deployment", "StatefulSet", "LeaderWorkerSet"},
}

func (g *G) isUnnamed(o *Object) bool {
	return slices.Contains(g.unnamed()[slot{kind: o.Kind, namespace: o.Namespace}], o)
}
