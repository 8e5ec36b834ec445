package generators

import (
	"cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// serverService makes the plain Service over the decode servers, where something goes
// that way, and the Services that the roles ask for. Through the decode servers' routing
// sidecar a request takes part in disaggregation only with the EPP's header, so the plain
// Service has decode do the whole work.
func serverService(s *Stack) []Object {
	var objects []Object
	if s.hasServerService() {
		objects = append(objects, plainService(s))
	}
	for _, server := range s.servers() {
		if server.own.Service != nil && s.Spec.Server.Create {
			objects = append(objects, roleService(server))
		}
	}
	return objects
}

// plainService goes to the decode servers by the name of their port, or, where something
// else made the servers, by its number: their names are not known.
func plainService(s *Stack) *corev1.Service {
	spec, target := &s.Spec.Server.Service, intstr.FromString(s.decode().entryPortName())
	selector := s.selector(componentDecode)
	if !s.Spec.Server.Create {
		selector, target = s.poolSelector(), intstr.FromInt32(s.Spec.Server.Port)
	}
	if len(spec.Selector) > 0 {
		selector = joined(spec.Selector)
	}
	return &corev1.Service{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "Service"},
		ObjectMeta: s.meta(componentDecode, s.serviceName()),
		Spec: corev1.ServiceSpec{
			Ports:    s.decode().httpServicePort(s.servicePort(), target),
			Selector: selector,
			Type:     corev1.ServiceType(spec.Type),
		},
	}
}

func roleService(s server) *corev1.Service {
	spec := s.own.Service
	return &corev1.Service{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "Service"},
		ObjectMeta: s.meta(s.role, cmp.Or(spec.Name, s.roleName())),
		Spec: corev1.ServiceSpec{
			Ports:    s.httpServicePort(value(spec.Port, s.Spec.Server.Port), intstr.FromString(s.entryPortName())),
			Selector: s.selector(s.role),
			Type:     corev1.ServiceType(spec.Type),
		},
	}
}

// httpServicePort says what the port speaks, by which Istio knows what to do.
func (s server) httpServicePort(port int32, target intstr.IntOrString) []corev1.ServicePort {
	protocol := "http"
	if s.hasSidecar() && s.Spec.KVTransfer.Sidecar.SecureProxy {
		protocol = "https"
	}
	return []corev1.ServicePort{{
		Name:        protocol,
		Protocol:    corev1.ProtocolTCP,
		AppProtocol: &protocol,
		Port:        port,
		TargetPort:  target,
	}}
}
