package generators

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// epp makes the endpoint picker: who it is, what it may read, its configuration, its
// pods and its Service.
func epp(s *Stack) []Object {
	if !s.Spec.Scheduler.Enabled {
		return nil
	}
	objects := []Object{eppServiceAccount(s)}
	objects = append(objects, eppRBAC(s)...)
	if s.scrapesWithToken() {
		objects = append(objects, eppMetricsToken(s))
	}
	objects = append(objects, eppConfigMap(s), eppDeployment(s), eppService(s))
	if s.eppElsewhere() && s.Spec.Pool.Create {
		objects = append(objects, eppAlias(s))
	}
	return objects
}

// eppElsewhere says whether the EPP is in another namespace than the pool.
func (s *Stack) eppElsewhere() bool { return s.eppNamespace() != s.namespace() }

func eppServiceAccount(s *Stack) *corev1.ServiceAccount {
	return &corev1.ServiceAccount{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "ServiceAccount"},
		ObjectMeta: s.metaIn(s.eppNamespace(), componentEPP, s.eppName()),
	}
}

func eppService(s *Stack) *corev1.Service {
	sched := &s.Spec.Scheduler
	ports := []corev1.ServicePort{
		// Without the name or appProtocol Istio takes the port for HTTP/1.1, and gRPC fails.
		{Name: eppGRPCPortName, Port: sched.Port, TargetPort: intstr.FromString("grpc"), Protocol: corev1.ProtocolTCP, AppProtocol: new(s.Line.EPP.ServiceAppProtocol)},
		{Name: metricsPortName, Port: eppMetricsPort, TargetPort: intstr.FromString("metrics"), Protocol: corev1.ProtocolTCP},
	}
	if s.kvEventsMode() == eventsCentralized {
		port := s.Spec.KVCache.Events.CentralPort
		ports = append(ports, corev1.ServicePort{Name: kvEventsPortName, Port: port, TargetPort: intstr.FromString(kvEventsPortName), Protocol: corev1.ProtocolTCP, AppProtocol: new("tcp")})
	}
	return &corev1.Service{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "Service"},
		ObjectMeta: s.metaIn(s.eppNamespace(), componentEPP, s.eppName()),
		Spec: corev1.ServiceSpec{
			Ports:    ports,
			Selector: s.selector(componentEPP),
			Type:     corev1.ServiceType(sched.ServiceType),
		},
	}
}

// eppAlias stands for an EPP elsewhere in the pool's namespace: endpointPickerRef has no
// namespace, so the pool names this Service.
func eppAlias(s *Stack) *corev1.Service {
	return &corev1.Service{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "Service"},
		ObjectMeta: s.meta(componentEPP, s.eppName()),
		Spec: corev1.ServiceSpec{
			Ports:        []corev1.ServicePort{{Name: eppGRPCPortName, Port: s.Spec.Scheduler.Port, TargetPort: intstr.FromInt32(s.Spec.Scheduler.Port), Protocol: corev1.ProtocolTCP, AppProtocol: new(s.Line.EPP.ServiceAppProtocol)}},
			Type:         corev1.ServiceTypeExternalName,
			ExternalName: serviceHost(s.eppName(), s.eppNamespace()),
		},
	}
}

// scrapesWithToken says whether Prometheus needs a token for the EPP's metrics.
func (s *Stack) scrapesWithToken() bool {
	m := s.Spec.Monitoring
	return s.Spec.Scheduler.MetricsAuth && m != nil && m.ServiceMonitor
}

// eppMetricsToken is filled by Kubernetes with a token of the EPP's ServiceAccount, which
// may read /metrics.
func eppMetricsToken(s *Stack) *corev1.Secret {
	meta := s.metaIn(s.eppNamespace(), componentEPP, s.metricsTokenName())
	meta.Annotations = map[string]string{corev1.ServiceAccountNameKey: s.eppName()}
	return &corev1.Secret{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "Secret"},
		ObjectMeta: meta,
		Type:       corev1.SecretTypeServiceAccountToken,
	}
}
