package simop

import (
	"github.com/inferstack/inferstack/convert/draft"
	"github.com/inferstack/inferstack/schema"
)

// APIVersion is that of both kinds.
const APIVersion = "sim.llm-d.io/v1alpha1"

// The kinds of the operator.
const (
	KindSimulator = "SimulatorDeployment"
	KindInstall   = "SchedulerInstall"
)

// Convert turns the operator's resources into drafts. A SchedulerInstall and the
// SimulatorDeployment in its simulatorNamespace become one.
func Convert(docs []schema.Document, lossy bool) []*draft.Draft {
	var installs, simulators []schema.Document
	for _, doc := range docs {
		switch doc.Kind {
		case KindInstall:
			installs = append(installs, doc)
		case KindSimulator:
			simulators = append(simulators, doc)
		}
	}
	var drafts []*draft.Draft
	joined := map[int]bool{}
	for _, doc := range installs {
		drafts = append(drafts, convertInstall(doc, simulators, joined, lossy))
	}
	for i, doc := range simulators {
		if !joined[i] {
			drafts = append(drafts, convertSimulator(doc, lossy))
		}
	}
	return drafts
}

func convertSimulator(doc schema.Document, lossy bool) *draft.Draft {
	d := draft.New(doc, lossy)
	if sim, ok := readSimulator(d, doc); ok {
		sim.convert()
	}
	return d
}

// convertInstall converts a SchedulerInstall, with the SimulatorDeployment beside it.
func convertInstall(doc schema.Document, simulators []schema.Document, joined map[int]bool, lossy bool) *draft.Draft {
	var in SchedulerInstall
	problems := schema.Decode(doc, &in)
	namespace := in.Spec.SimulatorNamespace
	mate := -1
	for i, s := range simulators {
		if s.Namespace == namespace && namespace != "" && mate < 0 && !joined[i] {
			mate = i
		}
	}
	d := draft.New(doc, lossy)
	if mate >= 0 {
		joined[mate] = true
		d = draft.New(simulators[mate], lossy)
	}
	d.Decoded(problems)
	p := d.Part(doc)
	install := &install{Part: p, spec: &in.Spec}
	if namespace == "" {
		p.On("", "spec").Fail("simulatorNamespace is required: it says where the servers and their pool are")
	}
	if mate >= 0 {
		if sim, ok := readSimulator(d, simulators[mate]); ok {
			sim.install, install.sim = &in.Spec, sim.spec
			sim.convert()
		}
	}
	install.convert()
	return d
}

func readSimulator(d *draft.Draft, doc schema.Document) (*simulator, bool) {
	var in SimulatorDeployment
	ok := d.Decoded(schema.Decode(doc, &in))
	return &simulator{Part: d.Part(doc), spec: &in.Spec}, ok
}

// Groups are the SimulatorDeployments of a SchedulerInstall with it, the others each by
// itself.
func Groups(docs []schema.Document) [][]schema.Document {
	var out [][]schema.Document
	at := map[string]int{} // the SchedulerInstall's group, by namespace of the servers
	for _, doc := range docs {
		if doc.Kind == KindInstall {
			var in SchedulerInstall
			_ = schema.Decode(doc, &in) // what is wrong with it was said
			at[in.Spec.SimulatorNamespace] = len(out)
			out = append(out, []schema.Document{doc})
		}
	}
	for _, doc := range docs {
		if doc.Kind != KindSimulator {
			continue
		}
		if i, ok := at[doc.Namespace]; ok {
			out[i] = append(out[i], doc)
		} else {
			out = append(out, []schema.Document{doc})
		}
	}
	return out
}
