package schema

import (
	"cmp"
	"slices"
	"strconv"
)

// Longest names of workloads whose pods carry them in a label of at most 63 characters:
// controller-revision-hash is the StatefulSet's name, a hyphen and a hash of up to 10
// characters (kubernetes pkg/controller/history/controller_history.go). The StatefulSets
// of a LeaderWorkerSet's workers are named after the group too, as name-0 to name-999.
const (
	MaxStatefulSetName = 52
	MaxGroupName       = 48
)

// longNames refuses names with which no pod could be made.
func longNames(s *Stack) []Problem {
	var out []Problem
	for _, r := range s.sections() {
		if longest := r.longestGroupName(); s.groupsNamed(r) && len(r.Name) > longest {
			out = append(out, s.Problem(Error, r.path+".name", "must have at most %d characters for a LeaderWorkerSet, whose pods carry it in a label with a hash (got %d)", longest, len(r.Name)))
		}
	}
	if redis := s.Spec.KVCache.Redis; redis != nil && redis.Persistence != nil && redis.Persistence.ClaimName == "" && redis.Address == "" && len(redis.Name) > MaxStatefulSetName {
		out = append(out, s.Problem(Error, "spec.kvCache.redis.name", "must have at most %d characters with persistence: a StatefulSet's pods carry it in a label with a hash (got %d)", MaxStatefulSetName, len(redis.Name)))
	}
	if name := cmp.Or(s.Spec.Pool.Name, s.Metadata.Name); len(name) > longestIstioPool && s.istioServesPool() {
		at := "metadata.name"
		if s.Spec.Pool.Name != "" {
			at = "spec.pool.name"
		}
		out = append(out, s.Problem(Warning, at, "makes the name of an InferencePool of %d characters; Istio's Service for it gets 12 more and has at most 63: newer versions cut the name, older ones make none. Use at most %d, by %s", len(name), longestIstioPool, Path("spec.pool.name")))
	}
	return out
}

// longestIstioPool is the longest name of a pool that IstioPoolService does not cut.
const longestIstioPool = 50

// istioServesPool reports whether an Istio sends to the stack's pool by itself.
func (s *Stack) istioServesPool() bool {
	return s.Spec.Pool.Create && s.Scored() && s.routed() && slices.ContainsFunc(s.gateways(), func(g *Gateway) bool {
		return g.Row().EnvoyFilter && !g.UsesEnvoyFilter()
	})
}

// longestGroupName is MaxGroupName with as many digits as the role's groups need.
func (r section) longestGroupName() int {
	return MaxStatefulSetName - len("-") - len(strconv.Itoa(int(max(0, r.mostReplicas()-1))))
}
