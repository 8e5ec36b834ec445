package manifests

import (
	"github.com/inferstack/inferstack/schema"
	"github.com/inferstack/inferstack/schema/document"
	"github.com/inferstack/inferstack/wiring"
)

// unwired are what the rules of check find in what the stack makes, among the others that it
// leaves: at the object of the source that the one of the stack stands for, or at the pool.
func (g *group) unwired(made []object, others []member) schema.Problems {
	var all []*wiring.Object
	for _, o := range made {
		all = append(all, wiring.Of(node(o))...)
	}
	mine := map[wiring.Ref]bool{}
	have := map[string]bool{}
	for _, o := range all {
		mine[o.Ref], have[o.Ref.Kind+" "+o.Ref.Name] = true, true
	}
	for _, d := range others {
		if b := g.in.bundleOf(d); !have[named(d.what)] && (b == nil || !b.whole || !have["DisaggregatedSet "+b.Name]) {
			all = append(all, wiring.Of(node(d.what))...)
		}
	}
	var out schema.Problems
	for _, f := range wiring.Check(all, wiring.Options{}) {
		if f.Severity == wiring.Info || !mine[f.Object] {
			continue
		}
		message := f.Object.String() + " of the stack: " + f.Message
		if f.Remedy != "" {
			message += "; " + f.Remedy
		}
		p := g.sourceOf(f.Object).Problem(schema.Warning, "", "%s [%s]", message, f.Rule)
		p.Rule, p.Remedy = f.Rule, f.Remedy
		out = append(out, p)
	}
	return out
}

// sourceOf is the document of the member that an object of the stack stands for, or the pool's.
func (g *group) sourceOf(ref wiring.Ref) document.Document {
	for _, m := range g.members {
		if m.ref.Kind == ref.Kind && m.ref.Name == ref.Name {
			return m.Document
		}
	}
	if set := g.set(); set != nil && ref.Kind == "DisaggregatedSet" {
		return set.Document
	}
	return g.pool.Document
}
