package generators

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	igwv1 "sigs.k8s.io/gateway-api-inference-extension/api/v1"
)

const poolGroup = igwv1.GroupName

// pool makes the InferencePool. Without an EPP there is nobody to pick from it.
func pool(s *Stack) []Object {
	if !s.hasPool() {
		return nil
	}
	return []Object{inferencePool(s)}
}

func (s *Stack) hasPool() bool { return s.Spec.Scheduler.Enabled && s.Spec.Pool.Create }

// inferencePool writes out what the API would default: group and kind of the reference
// would differ for ever between Git and cluster otherwise (kserve/kserve#5353).
func inferencePool(s *Stack) *igwv1.InferencePool {
	selector := map[igwv1.LabelKey]igwv1.LabelValue{}
	for key, value := range s.poolSelector() {
		selector[igwv1.LabelKey(key)] = igwv1.LabelValue(value)
	}
	ports := make([]igwv1.Port, 0, len(s.poolPorts()))
	for _, p := range s.poolPorts() {
		ports = append(ports, igwv1.Port{Number: igwv1.PortNumber(p)})
	}
	return &igwv1.InferencePool{
		TypeMeta:   metav1.TypeMeta{APIVersion: igwv1.GroupVersion.String(), Kind: "InferencePool"},
		ObjectMeta: s.meta(componentEPP, s.poolName()),
		Spec: igwv1.InferencePoolSpec{
			Selector:    igwv1.LabelSelector{MatchLabels: selector},
			TargetPorts: ports,
			EndpointPickerRef: igwv1.EndpointPickerRef{
				Group:       new(igwv1.Group("")),
				Kind:        "Service",
				Name:        igwv1.ObjectName(s.eppName()),
				Port:        &igwv1.Port{Number: igwv1.PortNumber(s.Spec.Scheduler.Port)},
				FailureMode: igwv1.EndpointPickerFailureMode(s.Spec.Scheduler.FailureMode),
			},
		},
	}
}

// poolPorts returns the ports of a server as the pool sees them, from server.port on: more
// than one where the data-parallel ranks of a pod serve for themselves. All pods of the
// pool are seen through the same ports; a role with fewer says so by activePorts.
func (s *Stack) poolPorts() []int32 {
	if ports := s.Spec.Pool.TargetPorts; len(ports) > 0 {
		return ports
	}
	var count int32
	for _, server := range s.servers() {
		count = max(count, server.portCount())
	}
	ports := make([]int32, 0, count)
	for i := range count {
		ports = append(ports, s.Spec.Server.Port+i)
	}
	return ports
}
