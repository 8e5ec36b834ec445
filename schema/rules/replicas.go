package rules

import (
	"slices"

	"github.com/inferstack/inferstack/schema"
)

// noServers warns of a stack without servers or EPP: it refuses requests until something
// starts them.
func noServers(s stack) (out []schema.Problem) {
	if s.Spec.Scheduler.Enabled && s.Spec.Scheduler.Replicas == 0 {
		out = append(out, s.Problem(schema.Warning, schedulerPath+".replicas", "is 0: no EPP runs, and requests are scored by nobody or refused, as failureMode says"))
	}
	for _, r := range s.Workloads() {
		if s.Spec.Server.Create && !slices.ContainsFunc(s.Workloads(), func(other schema.Workload) bool { return other.RoleName == r.RoleName && starts(other) }) {
			out = append(out, s.Problem(schema.Warning, r.Path+".replicas", "is 0: no server is started, and requests that need one fail"))
		}
	}
	return out
}

// starts reports whether servers of the workload are started: other variants of its role serve
// while one is at 0.
func starts(r schema.Workload) bool { return r.Replicas > 0 || r.Autoscaling != nil }
