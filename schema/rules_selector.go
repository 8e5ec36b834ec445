package schema

import "maps"

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
