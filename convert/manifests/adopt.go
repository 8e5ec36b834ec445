package manifests

import (
	"fmt"
	"slices"

	"github.com/inferstack/inferstack/internal/freeform"
)

// adopted keeps the selectors of the servers' workloads, and with them their pods' labels: those
// that a stack gives its own would have every pod start anew, and a Deployment be replaced.
func (s *sources) adopted(t *trial) {
	for _, r := range s.roles {
		if r.variant != "" || r.own() || r.bundled {
			continue
		}
		labels := mapping(at(r.pod, "metadata", "labels"))
		selector := r.selector(labels)
		if len(selector) == 0 {
			continue
		}
		to := "spec." + r.name + "."
		p := proposal{to + "selector": selector, to + "podLabels": orNone(without(labels, selector))}
		if pool := "spec.pool.selector"; at(t.stack, steps(pool)...) == nil {
			p[pool] = s.everywhere(selector)
		}
		t.propose(p)
	}
	s.adoptedPicker(t)
}

// adoptedPicker keeps the selector of the EPP's Deployment, and the labels of its pods.
func (s *sources) adoptedPicker(t *trial) {
	what := s.goalOf(s.epp)
	if what == nil {
		return
	}
	r := role{what: what, pod: templates(what)[0]}
	labels := mapping(at(r.pod, "metadata", "labels"))
	if selector := r.selector(labels); len(selector) > 0 && !r.own() {
		const to = "spec.scheduler."
		t.propose(proposal{to + "selector": selector, to + "podLabels": orNone(without(labels, selector))})
	}
}

// before are the objects to compare with. Where pods are to stay, they are those that are there,
// with the names that their containers have.
func (s *sources) before() []object {
	if !s.adopt {
		return slices.Clone(s.goal)
	}
	var out []object
	for _, m := range s.g.members {
		out = append(out, freeform.Copy(m.what).(object))
	}
	return out
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
