package rules

import (
	"maps"
	"slices"

	"github.com/inferstack/inferstack/finding"
	"github.com/inferstack/inferstack/schema"
)

// selectorsFit checks the selectors of workloads that were there before the stack.
func selectorsFit(s stack) []schema.Problem {
	var out []schema.Problem
	roles := s.Roles()
	for i, r := range roles {
		at := r.Path + ".selector"
		switch {
		case len(r.Selector) == 0:
			continue
		case len(s.Spec.Pool.Selector) == 0:
			out = append(out, s.Problem(schema.Error, at, "needs %s: the labels of the pods by which the pool selects them", schema.Path("spec.pool.selector")))
		case len(r.Variants) > 0:
			out = append(out, s.Problem(schema.Error, at, "cannot be beside %s: each variant has a workload with pods of its own", schema.Path(r.Path+".variants")))
		case r.Parallelism.SpansNodes():
			out = append(out, s.Problem(schema.Error, at, "cannot be used where one copy of the model is spread over several nodes: the pods that serve no requests would have the labels by which the pool selects"))
		}
		for j, other := range roles {
			if i != j && schema.Selects(r.Selector, s.labelsOf(other)) {
				out = append(out, s.Problem(schema.Error, at, "selects the pods of %s too; name a label that only these have", schema.Path(other.Path)))
			}
		}
		out = append(out, s.relabelled(r)...)
	}
	return append(out, s.pickerSelectorFits()...)
}

// pickerSelectorFits checks the selector of an EPP's Deployment that was there before the stack.
func (s stack) pickerSelectorFits() []schema.Problem {
	selector := s.Spec.Scheduler.Selector
	if len(selector) == 0 {
		return nil
	}
	for _, r := range s.Roles() {
		labels := s.labelsOf(r)
		if len(r.Selector) == 0 {
			maps.Copy(labels, s.commonLabels())
		}
		if schema.Selects(selector, labels) {
			return []schema.Problem{s.Problem(schema.Error, schedulerPath+".selector", "selects the pods of %s too; name a label that only the EPP's have", schema.Path(r.Path))}
		}
	}
	return nil
}

// relabelled refuses labels of pods that the selector of their workload has otherwise, and those of
// the selector that the pool's has otherwise.
func (s stack) relabelled(r schema.Workload) (out []schema.Problem) {
	for _, from := range []struct {
		at     string
		labels map[string]string
	}{{r.Path + ".podLabels", r.PodLabels}, {"spec.server.podLabels", s.Spec.Server.PodLabels}} {
		for _, key := range slices.Sorted(maps.Keys(from.labels)) {
			want, selects := r.Selector[key]
			_, pooled := s.Spec.Pool.Selector[key]
			if own, over := r.PodLabels[key]; over && own == want {
				continue // written over the server section's
			}
			if selects && !pooled && want != from.labels[key] {
				out = append(out, s.Problem(schema.Error, finding.Join(from.at, key, 0), "must be %q, as %s says, or be left out (got %q)", want, schema.Path(r.Path+".selector"), from.labels[key]))
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(r.Selector)) {
		if want, pooled := s.Spec.Pool.Selector[key]; pooled && want != r.Selector[key] {
			out = append(out, s.Problem(schema.Error, finding.Join(r.Path+".selector", key, 0), "must be %q, as %s says, which selects these pods too (got %q)", want, schema.Path("spec.pool.selector"), r.Selector[key]))
		}
	}
	return out
}

// labelsOf are the labels that users give the pods of a role.
func (s stack) labelsOf(r schema.Workload) map[string]string {
	out := map[string]string{}
	for _, labels := range []map[string]string{s.Spec.Server.PodLabels, r.PodLabels, r.Selector, s.Spec.Pool.Selector} {
		maps.Copy(out, labels)
	}
	return out
}
