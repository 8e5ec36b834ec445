package schema

import (
	"maps"
	"slices"
)

// selectorsFit checks the selectors of workloads that were there before the stack.
func selectorsFit(s *Stack) []Problem {
	var out []Problem
	roles := s.roles()
	for i, r := range roles {
		at := r.path + ".selector"
		switch {
		case len(r.Selector) == 0:
			continue
		case len(s.Spec.Pool.Selector) == 0:
			out = append(out, s.Problem(Error, at, "needs %s: the labels of the pods by which the pool selects them", Path("spec.pool.selector")))
		case len(r.Variants) > 0:
			out = append(out, s.Problem(Error, at, "cannot be beside %s: each variant has a workload with pods of its own", Path(r.path+".variants")))
		case r.Parallelism.SpansNodes():
			out = append(out, s.Problem(Error, at, "cannot be used where one copy of the model is spread over several nodes: the pods that serve no requests would have the labels by which the pool selects"))
		}
		for j, other := range roles {
			if i != j && Selects(r.Selector, s.labelsOf(other)) {
				out = append(out, s.Problem(Error, at, "selects the pods of %s too; name a label that only these have", Path(other.path)))
			}
		}
		out = append(out, s.relabelled(r)...)
	}
	return append(out, s.pickerSelectorFits()...)
}

// pickerSelectorFits checks the selector of an EPP's Deployment that was there before the stack.
func (s *Stack) pickerSelectorFits() []Problem {
	selector := s.Spec.Scheduler.Selector
	if len(selector) == 0 {
		return nil
	}
	for _, r := range s.roles() {
		labels := s.labelsOf(r)
		if len(r.Selector) == 0 {
			maps.Copy(labels, s.commonLabels())
		}
		if Selects(selector, labels) {
			return []Problem{s.Problem(Error, schedulerPath+".selector", "selects the pods of %s too; name a label that only the EPP's have", Path(r.path))}
		}
	}
	return nil
}

// relabelled refuses labels of pods that the selector of their workload has otherwise, and those of
// the selector that the pool's has otherwise.
func (s *Stack) relabelled(r section) []Problem {
	var out []Problem
	for _, from := range []struct {
		at     string
		labels map[string]string
	}{{r.path + ".podLabels", r.PodLabels}, {"spec.server.podLabels", s.Spec.Server.PodLabels}} {
		for _, key := range slices.Sorted(maps.Keys(from.labels)) {
			want, selects := r.Selector[key]
			_, pooled := s.Spec.Pool.Selector[key]
			if own, over := r.PodLabels[key]; over && own == want {
				continue // written over the server section's
			}
			if selects && !pooled && want != from.labels[key] {
				out = append(out, s.Problem(Error, join(from.at, key, 0), "must be %q, as %s says, or be left out (got %q)", want, Path(r.path+".selector"), from.labels[key]))
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(r.Selector)) {
		if want, pooled := s.Spec.Pool.Selector[key]; pooled && want != r.Selector[key] {
			out = append(out, s.Problem(Error, join(r.path+".selector", key, 0), "must be %q, as %s says, which selects these pods too (got %q)", want, Path("spec.pool.selector"), r.Selector[key]))
		}
	}
	return out
}

// labelsOf are the labels that users give the pods of a role.
func (s *Stack) labelsOf(r section) map[string]string {
	out := map[string]string{}
	for _, labels := range []map[string]string{s.Spec.Server.PodLabels, r.PodLabels, r.Selector, s.Spec.Pool.Selector} {
		maps.Copy(out, labels)
	}
	return out
}

// Selects reports whether all labels of a selector are among those of a pod.
func Selects(selector, labels map[string]string) bool {
	for key, value := range selector {
		if labels[key] != value {
			return false
		}
	}
	return true
}
