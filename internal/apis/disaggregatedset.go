package apis

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	lwsv1 "sigs.k8s.io/lws/api/leaderworkerset/v1"
)

// DisaggregatedSet of disaggregatedset.x-k8s.io/v1 (sigs.k8s.io/lws api/disaggregatedset/v1: v0.9.0
// has the roles, the branch main after it slices and placementPolicy).
type DisaggregatedSet = Resource[DisaggregatedSetSpec]

// DisaggregatedSetSpec is the roles of servers that serve together.
type DisaggregatedSetSpec struct {
	Slices          *int32              `json:"slices,omitempty"`
	PlacementPolicy *PlacementPolicy    `json:"placementPolicy,omitempty"`
	Roles           []DisaggregatedRole `json:"roles"`
}

// PlacementPolicy says in which domains the slices run.
type PlacementPolicy struct {
	Type     string `json:"type,omitempty"`
	Topology string `json:"topology,omitempty"`
}

// DisaggregatedRole is a role: the LeaderWorkerSet that the controller makes of it.
type DisaggregatedRole struct {
	Name              string `json:"name"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              lwsv1.LeaderWorkerSetSpec `json:"spec"`
}
