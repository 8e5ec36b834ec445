package schema

import "slices"

// noServers warns of a stack without servers or EPP: it refuses requests until something
// starts them.
func noServers(s *Stack) []Problem {
	var out []Problem
	if s.Spec.Scheduler.Enabled && s.Spec.Scheduler.Replicas == 0 {
		out = append(out, s.Problem(Warning, schedulerPath+".replicas", "is 0: no EPP runs, and requests are scored by nobody or refused, as failureMode says"))
	}
	for _, r := range s.sections() {
		if s.Spec.Server.Create && !slices.ContainsFunc(s.sections(), func(other section) bool { return other.role == r.role && starts(other) }) {
			out = append(out, s.Problem(Warning, r.path+".replicas", "is 0: no server is started, and requests that need one fail"))
		}
	}
	return out
}

// starts reports whether servers of the section are started: other variants of its role serve
// while one is at 0.
func starts(r section) bool { return r.Replicas > 0 || r.Autoscaling != nil }
