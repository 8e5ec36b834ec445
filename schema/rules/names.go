package rules

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/inferstack/inferstack/schema"
)

// longNames refuses names with which no pod could be made.
func longNames(s stack) (out []schema.Problem) {
	for _, r := range s.Workloads() {
		if longest := longestGroupName(r); s.groupsNamed(r) && len(r.Name) > longest {
			out = append(out, s.Problem(schema.Error, r.Path+".name", "must have at most %d characters for a LeaderWorkerSet, whose pods carry it in a label with a hash (got %d)", longest, len(r.Name)))
		}
	}
	if redis := s.Spec.KVCache.Redis; redis != nil && redis.Persistence != nil && redis.Persistence.ClaimName == "" && redis.Address == "" && len(redis.Name) > schema.MaxStatefulSetName {
		out = append(out, s.Problem(schema.Error, "spec.kvCache.redis.name", "must have at most %d characters with persistence: a StatefulSet's pods carry it in a label with a hash (got %d)", schema.MaxStatefulSetName, len(redis.Name)))
	}
	if name := cmp.Or(s.Spec.Pool.Name, s.Metadata.Name); len(name) > longestIstioPool && s.istioServesPool() {
		at := "metadata.name"
		if s.Spec.Pool.Name != "" {
			at = "spec.pool.name"
		}
		out = append(out, s.Problem(schema.Warning, at, "makes the name of an InferencePool of %d characters; Istio's Service for it gets 12 more and has at most 63: newer versions cut the name, older ones make none. Use at most %d, by %s", len(name), longestIstioPool, schema.Path("spec.pool.name")))
	}
	return out
}

// longestIstioPool is the longest name of a pool that IstioPoolService does not cut.
const longestIstioPool = 50

// istioServesPool reports whether an Istio sends to the stack's pool by itself.
func (s stack) istioServesPool() bool {
	return s.Spec.Pool.Create && s.Scored() && s.Routed() && slices.ContainsFunc(s.Gateways(), func(g *schema.Gateway) bool {
		return g.Row().EnvoyFilter && !g.UsesEnvoyFilter()
	})
}

// longestGroupName is MaxGroupName with as many digits as the role's groups need.
func longestGroupName(r schema.Workload) int {
	return schema.MaxStatefulSetName - len("-") - len(strconv.Itoa(int(max(0, mostReplicas(r)-1))))
}
