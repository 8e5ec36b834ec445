package kserve

import (
	"github.com/inferstack/inferstack/schema/document"
)

// nameLabel is the label by which the pool of a service selects its pods beside what all have
// (kserve pkg/controller/v1alpha2/llmisvc/scheduler.go, v0.20.0).
const nameLabel = "app.kubernetes.io/name"

// sharedLabel is what the pods of a pool have in stacks that share it, since each of their pods
// has the name of its own stack.
const sharedLabel = "llm-d.ai/pool"

// owners are the services of an input of which others make servers, and those others.
type owners map[string][]string

// owner is the service whose pool finds the pods of a service that has none: its pods have the
// name of that one.
func owner(doc document.Document) string {
	name := doc.At("spec.labels[" + nameLabel + "]")
	if name == nil || name.Value == doc.Name || doc.Has("spec.router") {
		return ""
	}
	return name.Value
}

func ownersOf(services []document.Document) owners {
	out := owners{}
	for _, doc := range services {
		if of := owner(doc); of != "" {
			key := doc.Namespace + "/" + of
			out[key] = append(out[key], doc.Name)
		}
	}
	return out
}

// shared gives the servers of all services of a pool one label, by which it selects them.
func (s *service) shared() {
	const to = "spec.pool.selector"
	of := owner(s.Doc)
	if of == "" {
		if others := s.in.owners[s.Doc.Namespace+"/"+s.Doc.Name]; len(others) > 0 && !s.Has(to) {
			s.Set(to, map[string]string{sharedLabel: s.Doc.Name}, "")
			s.On(to, "").Note("the pool has the servers of %s too, with this label", others[0])
		}
		return
	}
	from := "spec.labels[" + nameLabel + "]"
	s.Set(to, map[string]string{sharedLabel: of}, from)
	if s.in.there[s.Doc.Namespace+"/"+of] {
		s.On(to, from).Note("the pool of %s finds the servers by the label %s, since a stack sets %s by itself", of, sharedLabel, nameLabel)
		return
	}
	s.On(to, from).Warn("the servers are for the pool of %s, which is not in the input: put both services into one, or give its stack the same pool.selector", of)
}
