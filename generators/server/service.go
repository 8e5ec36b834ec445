package server

import (
	"cmp"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/inferstack/inferstack/generators/base"
)

// Services makes the plain Service over the decode servers, where something goes
// that way, and the Services that the roles ask for. Through the decode servers' routing
// sidecar a request takes part in disaggregation only with the EPP's header, so the plain
// Service has decode do the whole work.
func Services(s *base.Stack) (objects []base.Object) {
	if s.HasPlainService() {
		objects = append(objects, plainService(s))
	}
	for _, server := range roles(s) {
		if server.Own.Service != nil && s.Spec.Server.Create {
			objects = append(objects, roleService(server))
		}
	}
	return objects
}

// plainService goes to the decode servers by the name of their port, or, where something
// else made the servers, by its number: their names are not known.
func plainService(s *base.Stack) *corev1.Service {
	spec, target := &s.Spec.Server.Service, s.Decode().EntryPort()
	selector := s.Decode().RoleSelector()
	if !s.Spec.Server.Create {
		selector, target = s.PoolSelector(), intstr.FromInt32(s.Spec.Server.Port)
	}
	if len(spec.Selector) > 0 {
		selector = base.Joined(spec.Selector)
	}
	return &corev1.Service{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "Service"},
		ObjectMeta: s.Meta(base.ComponentDecode, s.ServiceName()),
		Spec: corev1.ServiceSpec{
			Ports:    server{s.Decode()}.httpServicePort(s.ServicePort(), target),
			Selector: selector,
			Type:     corev1.ServiceType(spec.Type),
		},
	}
}

func roleService(s server) *corev1.Service {
	spec := s.Own.Service
	return &corev1.Service{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "Service"},
		ObjectMeta: s.Meta(s.Role, cmp.Or(spec.Name, s.WorkloadName())),
		Spec: corev1.ServiceSpec{
			Ports:    s.httpServicePort(value(spec.Port, s.Spec.Server.Port), s.EntryPort()),
			Selector: s.RoleSelector(),
			Type:     corev1.ServiceType(spec.Type),
		},
	}
}

// httpServicePort says what the port speaks, by which Istio knows what to do.
func (s server) httpServicePort(port int32, target intstr.IntOrString) []corev1.ServicePort {
	protocol := s.ServerScheme()
	return []corev1.ServicePort{{
		Name:        protocol,
		Protocol:    corev1.ProtocolTCP,
		AppProtocol: &protocol,
		Port:        port,
		TargetPort:  target,
	}}
}
