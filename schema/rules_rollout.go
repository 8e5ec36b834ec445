package schema

import "k8s.io/apimachinery/pkg/util/intstr"

// rollouts refuses updates that could not proceed, or that the role's workload has no way
// to make (Kubernetes apps/v1 validation; LeaderWorkerSet has a rolling update alone).
func rollouts(s *Stack) []Problem {
	var out []Problem
	for _, r := range s.sections() {
		spec, at := r.Rollout, r.path+".rollout"
		switch {
		case spec == nil:
		case spec.Type == "Recreate" && r.Parallelism.Nodes > 1:
			out = append(out, s.Problem(Error, at+".type", "Recreate does not go with parallelism.nodes above 1: a LeaderWorkerSet replaces its groups one after the other"))
		case spec.Type == "Recreate" && (spec.MaxSurge != nil || spec.MaxUnavailable != nil):
			out = append(out, s.Problem(Error, at, "maxSurge and maxUnavailable belong to RollingUpdate"))
		case zero(spec.MaxSurge) && zero(spec.MaxUnavailable):
			out = append(out, s.Problem(Error, at, "maxSurge and maxUnavailable must not both be 0: no server could be replaced"))
		}
	}
	return out
}

func zero(n *intstr.IntOrString) bool {
	return n != nil && (n.Type == intstr.Int && n.IntVal == 0 || n.StrVal == "0%")
}
