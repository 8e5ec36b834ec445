package schema

import "k8s.io/apimachinery/pkg/util/intstr"

// rolloutsFit checks the rollout of each role against its kind of workload.
func rolloutsFit(s *Stack) []Problem {
	if s.Spec.DisaggregatedSet != nil {
		return s.boundsFit()
	}
	var out []Problem
	for _, r := range s.sections() {
		roll, at := &r.Rollout, r.path+".rollout"
		grouped := r.Parallelism.Nodes > 1
		if roll.Type == "Recreate" && grouped {
			out = append(out, s.Problem(Error, at+".type", "must be RollingUpdate for servers of several nodes: a LeaderWorkerSet has nothing else"))
		}
		if roll.Partition != nil && !grouped {
			out = append(out, s.Problem(Error, at+".partition", "goes with servers of several nodes (%s is 1), which are a LeaderWorkerSet", Path(r.path+".parallelism.nodes")))
		}
	}
	return append(out, s.boundsFit()...)
}

// boundsFit checks how many servers of each role may be above and below the wanted number.
func (s *Stack) boundsFit() []Problem {
	var out []Problem
	for _, r := range s.sections() {
		roll, at := &r.Rollout, r.path+".rollout"
		for _, bound := range []struct {
			name  string
			value *intstr.IntOrString
		}{{"maxSurge", roll.MaxSurge}, {"maxUnavailable", roll.MaxUnavailable}} {
			if roll.Type == "Recreate" && bound.value != nil {
				out = append(out, s.Problem(Error, at+"."+bound.name, "goes with type: RollingUpdate"))
			}
		}
		if roll.MaxSurge != nil && roll.MaxUnavailable != nil && isZero(roll.MaxSurge) && isZero(roll.MaxUnavailable) {
			out = append(out, s.Problem(Error, at+".maxUnavailable", "must not be 0 beside maxSurge: 0, which would let no server be replaced"))
		}
	}
	return out
}

func isZero(v *intstr.IntOrString) bool {
	n, err := intstr.GetScaledValueFromIntOrPercent(v, 100, true)
	return err == nil && n == 0
}

// RolloutBounds returns how many servers of the role may be above and below the wanted
// number while they are replaced; both are nil where the workload's own bounds hold.
func (r *Role) RolloutBounds(accelerated bool) (surge, unavailable *intstr.IntOrString) {
	surge, unavailable = r.Rollout.MaxSurge, r.Rollout.MaxUnavailable
	if !accelerated && surge == nil && unavailable == nil {
		return nil, nil
	}
	none, one := intstr.FromInt32(0), intstr.FromInt32(1)
	if unavailable == nil {
		unavailable = &none
		if surge == nil || isZero(surge) {
			unavailable = &one
		}
	}
	if surge == nil {
		surge = &none
		if isZero(unavailable) {
			surge = &one
		}
	}
	return surge, unavailable
}
