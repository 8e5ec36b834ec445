package simop

import (
	"github.com/inferstack/inferstack/convert/draft"
	"github.com/inferstack/inferstack/schema/document"
)

// A group is a SchedulerInstall and the SimulatorDeployments in its simulatorNamespace,
// or a SimulatorDeployment without one, the nth of its namespace.
type group struct {
	install    *document.Document
	simulators []document.Document
	nth        int
	first      *draft.Draft // what became of the install and the first simulator
}

// groups puts the documents together. Of several SchedulerInstalls for one namespace, the
// first has its servers.
func groups(docs []document.Document) (out []*group) {
	owner := map[string]*group{}
	for i, doc := range docs {
		if doc.Kind != KindInstall {
			continue
		}
		var in SchedulerInstall
		_ = document.Decode(doc, &in) // said by convert
		g := &group{install: &docs[i]}
		out = append(out, g)
		if ns := in.Spec.SimulatorNamespace; ns != "" && owner[ns] == nil {
			owner[ns] = g
		}
	}
	alone := map[string]int{}
	for _, doc := range docs {
		if doc.Kind != KindSimulator {
			continue
		}
		if g := owner[doc.Namespace]; g != nil {
			g.simulators = append(g.simulators, doc)
			continue
		}
		out = append(out, &group{simulators: []document.Document{doc}, nth: alone[doc.Namespace]})
		alone[doc.Namespace]++
	}
	return out
}

// Groups are the documents of which one changes what becomes of another.
func Groups(docs []document.Document) (out [][]document.Document) {
	for _, g := range groups(docs) {
		var together []document.Document
		if g.install != nil {
			together = append(together, *g.install)
		}
		out = append(out, append(together, g.simulators...))
	}
	return out
}
