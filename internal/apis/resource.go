// Package apis holds the few foreign kinds whose upstream Go types would cost more in
// start-up time and binary size than they are worth: Istio's (protobuf registration),
// kgateway's, agentgateway's and GKE's, or have no release yet. Only what the generators write is here. Tests
// decode what is written strictly into the upstream types or CRDs, so that a field
// that does not exist there is found.
package apis

import (
	"encoding/json"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Resource is a Kubernetes object with a spec of type S.
type Resource[S any] struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec S `json:"spec"`
}

// DeepCopyObject copies by way of JSON, which every spec in this package survives.
func (r *Resource[S]) DeepCopyObject() runtime.Object {
	data, err := json.Marshal(r)
	if err != nil {
		panic(err) // the types of this package marshal
	}
	out := &Resource[S]{}
	if err := json.Unmarshal(data, out); err != nil {
		panic(err)
	}
	return out
}

// TargetReference points at the object that a policy is for.
type TargetReference struct {
	Group string `json:"group"`
	Kind  string `json:"kind"`
	Name  string `json:"name"`
}
