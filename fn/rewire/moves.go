package rewire

import (
	"maps"
	"strings"

	"github.com/inferstack/inferstack/internal/krm"
	"github.com/inferstack/inferstack/schema"
)

// What kustomize writes on an object whenever it changes its name, namespace or kind:
// lists of what they were before, of equal length.
const (
	previousNames      = "internal.config.kubernetes.io/previousNames"
	previousNamespaces = "internal.config.kubernetes.io/previousNamespaces"
)

// An id is what a reference says of an object. The group is left out: references
// rarely give it, and no two kinds of a stack differ in it alone.
type id struct{ kind, namespace, name string }

// moves tells where objects have gone.
type moves struct {
	to        map[id]id
	now       map[id]bool
	unclear   map[id]bool // was the id of one object and is, or was, that of another
	namespace map[string]string
}

func movesOf(items []*krm.Object) *moves {
	m := &moves{to: map[id]id{}, now: map[id]bool{}, unclear: map[id]bool{}, namespace: map[string]string{}}
	mixed := map[string]bool{}
	for _, item := range items {
		current := id{item.Kind(), item.Namespace(), item.Name()}
		m.now[current] = true
		for _, before := range previous(item) {
			if other, ok := m.to[before]; ok && other != current {
				m.unclear[before] = true
			}
			m.to[before] = current
			if to, ok := m.namespace[before.namespace]; ok && to != current.namespace {
				mixed[before.namespace] = true
			}
			m.namespace[before.namespace] = current.namespace
		}
		if len(previous(item)) == 0 {
			mixed[current.namespace] = true // somebody stays
		}
	}
	for before, current := range m.to {
		if before != current && m.now[before] {
			m.unclear[before] = true
		}
	}
	for namespace := range mixed {
		delete(m.namespace, namespace)
	}
	m.poolServices()
	return m
}

// poolServices adds the Services that Istio makes of InferencePools, which go where these go.
func (m *moves) poolServices() {
	for before, current := range maps.Clone(m.to) {
		if before.kind != "InferencePool" {
			continue
		}
		service := istioService(before)
		m.to[service] = istioService(current)
		m.unclear[service] = m.unclear[before]
	}
}

func istioService(pool id) id {
	return id{"Service", pool.namespace, schema.IstioPoolService(pool.name)}
}

// previous lists what the item was before, oldest first.
func previous(item *krm.Object) (out []id) {
	if item.Annotation(previousNames) == "" {
		return nil
	}
	names := strings.Split(item.Annotation(previousNames), ",")
	namespaces := strings.Split(item.Annotation(previousNamespaces), ",")
	for i := range min(len(names), len(namespaces)) {
		out = append(out, id{item.Kind(), namespaces[i], names[i]})
	}
	return out
}

// find says where an object has gone. It is false when it has not moved, or is none of
// the build's.
func (r *rewirer) find(before id) (id, bool) {
	current, ok := r.moves.to[before]
	if !ok || current == before {
		return before, false
	}
	if r.moves.unclear[before] {
		r.errorf("%s %s/%s is the name of several objects of this build, before and after renaming; give them different names in the InferenceStack",
			before.kind, before.namespace, before.name)
		return before, false
	}
	return current, true
}
