package manifests

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/inferstack/inferstack/internal/freeform"
	"github.com/inferstack/inferstack/internal/lists"
	"github.com/inferstack/inferstack/schema"
)

// adopted keeps the selectors of the workloads, and with them their pods' labels: those that a stack
// gives its own would have every pod start anew, and a Deployment be replaced.
func (s *sources) adopted(t *trial) {
	for _, k := range s.selectors(t) {
		if at(t.stack, steps(k.path)...) == nil {
			t.propose(k.proposal)
		}
	}
}

// A selection is the selector of a workload, which a stack keeps by a field.
type selection struct {
	workload object
	path     string
	proposal proposal
}

// selectors are those that are to be kept.
func (s *sources) selectors(t *trial) (out []selection) {
	made := render(t.stack)
	add := func(r role, to string) {
		labels := mapping(at(r.pod, "metadata", "labels"))
		selector := r.selector(labels)
		if len(selector) == 0 || r.own() && r.selectsAs(find(made, r.what)) {
			return
		}
		p := proposal{to + "selector": selector, to + "podLabels": orNone(without(labels, selector))}
		if pool := "spec.pool.selector"; r.name != "" && at(t.stack, steps(pool)...) == nil {
			p[pool] = s.everywhere(selector)
		}
		out = append(out, selection{r.what, to + "selector", p})
	}
	for _, r := range s.roles {
		if r.variant == "" && !r.bundled {
			add(r, "spec."+r.name+".")
		}
	}
	if what := s.goalOf(s.epp); what != nil {
		add(role{what: what, pod: templates(what)[0]}, "spec.scheduler.")
	}
	return out
}

// selectsAs reports whether a workload of a stack selects its pods in the same way.
func (r role) selectsAs(made object) bool {
	if made == nil {
		return false
	}
	labels := func(o object) object { return mapping(at(templates(o)[0], "metadata", "labels")) }
	return reflect.DeepEqual(r.selector(labels(r.what)), role{what: made}.selector(labels(made)))
}

// unkept says why a stack selects pods otherwise that were to stay.
func (s *sources) unkept(t *trial) (out schema.Problems) {
	if !s.adopt {
		return nil
	}
	for _, k := range s.selectors(t) {
		if at(t.stack, steps(k.path)...) != nil {
			continue
		}
		for _, m := range s.g.members {
			if why := t.refusal(k.proposal); named(m.what) == named(k.workload) && why != "" {
				out = append(out, m.Problem(schema.Warning, "spec.selector", "%s does not keep its selector, so its pods start anew: %s", named(m.what), why))
			}
		}
	}
	return out
}

// before are the objects to compare with. Where pods are to stay, they are those that are there,
// with the names that their containers have.
func (s *sources) before() []object {
	if !s.adopt {
		return slices.Clone(s.goal)
	}
	return lists.Map(s.g.members, func(m member) object { return freeform.Copy(m.what).(object) })
}

// selector is what a workload selects its pods by, if that is labels alone. A LeaderWorkerSet says
// nothing of the kind: all labels of its pods are kept.
func (r role) selector(labels object) object {
	selector := mapping(at(r.what, "spec", "selector"))
	if text(r.what, "kind") != "Deployment" {
		return labels
	}
	matches := mapping(selector["matchLabels"])
	if selector["matchExpressions"] != nil || len(without(matches, labels)) > 0 {
		return nil
	}
	return matches
}

// everywhere are those of some labels that the pods of all roles have.
func (s *sources) everywhere(labels object) object {
	out := object{}
	for key, v := range labels {
		all := true
		for _, r := range s.roles {
			all = all && text(r.pod, "metadata", "labels", key) == fmt.Sprint(v)
		}
		if all {
			out[key] = v
		}
	}
	return out
}

// without are the labels that others are not among.
func without(labels, others object) object {
	out := object{}
	for key, v := range labels {
		if fmt.Sprint(others[key]) != fmt.Sprint(v) {
			out[key] = v
		}
	}
	return out
}

func orNone(labels object) any {
	if len(labels) == 0 {
		return nil
	}
	return labels
}
