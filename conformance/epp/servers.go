package epp

import (
	"testing"

	"github.com/inferstack/inferstack/conformance/servers"
)

// serveWith puts the servers of another rendering behind the scenario's Pods: those of the same role of the same pool.
func (s *Scenario) serveWith(t testing.TB, others []Scenario) {
	t.Helper()
	for i, w := range s.Workloads {
		found := false
		for _, other := range others {
			for _, candidate := range other.Workloads {
				if other.Pool.Name == s.Pool.Name && servers.Role(candidate.Template.Labels) == servers.Role(w.Template.Labels) {
					s.Workloads[i].Servers, found = candidate.Template.Spec, true
				}
			}
		}
		if !found {
			t.Fatalf("no simulator stands for %s of pool %s", w.Name, s.Pool.Name)
		}
	}
}
