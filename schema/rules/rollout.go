package rules

import (
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/inferstack/inferstack/schema"
)

// rolloutsFit checks the rollout of each role against its kind of workload.
func rolloutsFit(s stack) []schema.Problem {
	if s.Spec.DisaggregatedSet != nil {
		return s.boundsFit()
	}
	var out []schema.Problem
	for _, r := range s.Workloads() {
		roll, at := &r.Rollout, r.Path+".rollout"
		grouped := r.Parallelism.Nodes > 1
		if roll.Type == "Recreate" && grouped {
			out = append(out, s.Problem(schema.Error, at+".type", "must be RollingUpdate for servers of several nodes: a LeaderWorkerSet has nothing else"))
		}
		if roll.Partition != nil && !grouped {
			out = append(out, s.Problem(schema.Error, at+".partition", "goes with servers of several nodes (%s is 1), which are a LeaderWorkerSet", schema.Path(r.Path+".parallelism.nodes")))
		}
	}
	return append(out, s.boundsFit()...)
}

// boundsFit checks how many servers of each role may be above and below the wanted number.
func (s stack) boundsFit() (out []schema.Problem) {
	for _, r := range s.Workloads() {
		roll, at := &r.Rollout, r.Path+".rollout"
		for _, bound := range []struct {
			name  string
			value *intstr.IntOrString
		}{{"maxSurge", roll.MaxSurge}, {"maxUnavailable", roll.MaxUnavailable}} {
			if roll.Type == "Recreate" && bound.value != nil {
				out = append(out, s.Problem(schema.Error, at+"."+bound.name, "goes with type: RollingUpdate"))
			}
		}
		if roll.Stuck() {
			out = append(out, s.Problem(schema.Error, at+".maxUnavailable", "must not be 0 beside maxSurge: 0, which would let no server be replaced"))
		}
	}
	return out
}
