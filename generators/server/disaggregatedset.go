package server

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/inferstack/inferstack/generators/base"
	"github.com/inferstack/inferstack/internal/apis"
)

// disaggregatedSet runs the roles as one workload. What server says of a workload is on the set,
// and what a role adds on the LeaderWorkerSets that its controller makes of the role.
func disaggregatedSet(s *base.Stack) *apis.DisaggregatedSet {
	own := s.Spec.DisaggregatedSet
	set := &apis.DisaggregatedSet{
		TypeMeta:   metav1.TypeMeta{APIVersion: "disaggregatedset.x-k8s.io/v1", Kind: "DisaggregatedSet"},
		ObjectMeta: base.Described(s.Meta(base.ComponentServers, s.DisaggregatedSetName()), &s.Spec.Server.Pod),
		Spec:       apis.DisaggregatedSetSpec{Slices: base.Clone(own.Slices)},
	}
	if p := own.PlacementPolicy; p != nil {
		set.Spec.PlacementPolicy = &apis.PlacementPolicy{Type: p.Type, Topology: p.Topology}
	}
	for _, server := range slices.Backward(servers(s)) { // in the order in which they serve, as llm-d's guides
		meta := server.workloadMeta()
		set.Spec.Roles = append(set.Spec.Roles, apis.DisaggregatedRole{
			Name:       server.Role,
			ObjectMeta: metav1.ObjectMeta{Labels: meta.Labels, Annotations: meta.Annotations},
			Spec:       server.groupSpec(),
		})
	}
	return set
}
