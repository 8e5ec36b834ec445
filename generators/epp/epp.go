// Package epp makes the endpoint picker of a stack.
package epp

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/inferstack/inferstack/generators/base"
	"github.com/inferstack/inferstack/generators/kvevents"
)

// Objects makes the endpoint picker: who it is, what it may read, its configuration, its
// pods and its Service.
func Objects(s *base.Stack) []base.Object {
	if !s.Spec.Scheduler.Enabled {
		return nil
	}
	objects := []base.Object{serviceAccount(s)}
	objects = append(objects, rBAC(s)...)
	if scrapesWithToken(s) {
		objects = append(objects, metricsToken(s))
	}
	objects = append(objects, configMap(s), deployment(s), service(s))
	if elsewhere(s) && s.Spec.Pool.Create {
		objects = append(objects, alias(s))
	}
	return objects
}

// elsewhere reports whether the EPP is in another namespace than the pool.
func elsewhere(s *base.Stack) bool { return s.EPPNamespace() != s.Namespace() }

func serviceAccount(s *base.Stack) *corev1.ServiceAccount {
	return &corev1.ServiceAccount{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "ServiceAccount"},
		ObjectMeta: s.MetaIn(s.EPPNamespace(), base.ComponentEPP, s.EPPName()),
	}
}

func service(s *base.Stack) *corev1.Service {
	sched := &s.Spec.Scheduler
	ports := []corev1.ServicePort{
		// Without the name or appProtocol Istio takes the port for HTTP/1.1, and gRPC fails.
		{Name: base.EPPGRPCPortName, Port: sched.Port, TargetPort: target(s, "grpc", base.EPPGRPCPort), Protocol: corev1.ProtocolTCP, AppProtocol: new(s.Line.EPP.ServiceAppProtocol)},
		{Name: base.MetricsPortName, Port: base.EPPMetricsPort, TargetPort: target(s, "metrics", base.EPPMetricsPort), Protocol: corev1.ProtocolTCP},
	}
	if kvevents.Mode(s) == kvevents.Centralized {
		port := s.Spec.KVCache.Events.CentralPort
		ports = append(ports, corev1.ServicePort{Name: kvevents.PortName, Port: port, TargetPort: target(s, kvevents.PortName, port), Protocol: corev1.ProtocolTCP, AppProtocol: new("tcp")})
	}
	return &corev1.Service{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "Service"},
		ObjectMeta: s.MetaIn(s.EPPNamespace(), base.ComponentEPP, s.EPPName()),
		Spec: corev1.ServiceSpec{
			Ports:    ports,
			Selector: s.Selector(base.ComponentEPP),
			Type:     corev1.ServiceType(sched.ServiceType),
		},
	}
}

// target is a port of the EPP's pods by its name, or by its number where the pods were there before
// the stack and may call their ports otherwise.
func target(s *base.Stack, name string, number int32) intstr.IntOrString {
	if len(s.Spec.Scheduler.Selector) > 0 {
		return intstr.FromInt32(number)
	}
	return intstr.FromString(name)
}

// alias stands for an EPP elsewhere in the pool's namespace: endpointPickerRef has no
// namespace, so the pool names this Service.
func alias(s *base.Stack) *corev1.Service {
	return &corev1.Service{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "Service"},
		ObjectMeta: s.Meta(base.ComponentEPP, s.EPPName()),
		Spec: corev1.ServiceSpec{
			Ports:        []corev1.ServicePort{{Name: base.EPPGRPCPortName, Port: s.Spec.Scheduler.Port, TargetPort: intstr.FromInt32(s.Spec.Scheduler.Port), Protocol: corev1.ProtocolTCP, AppProtocol: new(s.Line.EPP.ServiceAppProtocol)}},
			Type:         corev1.ServiceTypeExternalName,
			ExternalName: base.ServiceHost(s.EPPName(), s.EPPNamespace()),
		},
	}
}

// scrapesWithToken reports whether Prometheus needs a token for the EPP's metrics.
func scrapesWithToken(s *base.Stack) bool {
	m := s.Spec.Monitoring
	return s.Spec.Scheduler.MetricsAuth && m != nil && m.ServiceMonitor
}

// metricsToken is filled by Kubernetes with a token of the EPP's ServiceAccount, which
// may read /metrics.
func metricsToken(s *base.Stack) *corev1.Secret {
	meta := s.MetaIn(s.EPPNamespace(), base.ComponentEPP, s.MetricsTokenName())
	meta.Annotations = map[string]string{corev1.ServiceAccountNameKey: s.EPPName()}
	return &corev1.Secret{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "Secret"},
		ObjectMeta: meta,
		Type:       corev1.SecretTypeServiceAccountToken,
	}
}
