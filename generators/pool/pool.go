// Package pool makes the InferencePool and the InferenceObjectives of a stack.
package pool

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	igwv1 "sigs.k8s.io/gateway-api-inference-extension/api/v1"

	"github.com/inferstack/inferstack/generators/base"
)

const Group = igwv1.GroupName

// Objects makes the InferencePool. Without an EPP there is nobody to pick from it.
func Objects(s *base.Stack) []base.Object {
	if !hasPool(s) {
		return nil
	}
	return []base.Object{inferencePool(s)}
}

func hasPool(s *base.Stack) bool { return s.Spec.Scheduler.Enabled && s.Spec.Pool.Create }

// inferencePool writes out what the API would default: group and kind of the reference
// would differ for ever between Git and cluster otherwise (kserve/kserve#5353).
func inferencePool(s *base.Stack) *igwv1.InferencePool {
	selector := map[igwv1.LabelKey]igwv1.LabelValue{}
	for key, value := range s.PoolSelector() {
		selector[igwv1.LabelKey(key)] = igwv1.LabelValue(value)
	}
	ports := make([]igwv1.Port, 0, len(Ports(s)))
	for _, p := range Ports(s) {
		ports = append(ports, igwv1.Port{Number: igwv1.PortNumber(p)})
	}
	return &igwv1.InferencePool{
		TypeMeta:   metav1.TypeMeta{APIVersion: igwv1.GroupVersion.String(), Kind: "InferencePool"},
		ObjectMeta: s.Meta(base.ComponentEPP, s.PoolName()),
		Spec: igwv1.InferencePoolSpec{
			Selector:    igwv1.LabelSelector{MatchLabels: selector},
			TargetPorts: ports,
			EndpointPickerRef: igwv1.EndpointPickerRef{
				Group:       new(igwv1.Group("")),
				Kind:        "Service",
				Name:        igwv1.ObjectName(s.EPPName()),
				Port:        &igwv1.Port{Number: igwv1.PortNumber(s.Spec.Scheduler.Port)},
				FailureMode: igwv1.EndpointPickerFailureMode(s.Spec.Scheduler.FailureMode),
			},
		},
	}
}

// Ports returns the ports of a server as the pool sees them, from server.port on: more
// than one where the data-parallel ranks of a pod serve for themselves. All pods of the
// pool are seen through the same ports; a role with fewer says so by activePorts.
func Ports(s *base.Stack) []int32 {
	if ports := s.Spec.Pool.TargetPorts; len(ports) > 0 {
		return ports
	}
	var count int32
	for _, server := range s.Servers() {
		count = max(count, server.PortCount())
	}
	ports := make([]int32, 0, count)
	for i := range count {
		ports = append(ports, s.Spec.Server.Port+i)
	}
	return ports
}

const Kind = "InferencePool"
