package istio

import (
	"cmp"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/inferstack/inferstack/generators/base"
	"github.com/inferstack/inferstack/generators/envoy"
	"github.com/inferstack/inferstack/internal/apis"
	"github.com/inferstack/inferstack/schema"
)

// DestinationRules makes the DestinationRules: TLS to the EPP, and load balancing of
// the plain Service. Each is in the namespace of its Service, where every proxy of the
// mesh finds it.
func DestinationRules(s *base.Stack) (objects []base.Object) {
	if s.Spec.Scheduler.Enabled && s.Spec.Scheduler.SecureServing && s.AnyFront(istioWired) {
		objects = append(objects, eppTLS(s))
	}
	if s.ServesTLS() && s.AnyFront(askedByIstio) {
		objects = append(objects, poolTLS(s))
	}
	switch {
	case s.Spec.LoadBalancing != nil:
		objects = append(objects, loadBalancing(s))
	case s.ServesTLS() && s.AnyFront(servedByIstio):
		objects = append(objects, serviceTLS(s))
	}
	return objects
}

// askedByIstio reports whether Istio leads to the servers of the pool by itself.
func askedByIstio(f base.Front) bool {
	return f.Gateway.Row().DestinationRule && (f.Native() || f.RoutedElsewhere())
}

// servedByIstio reports whether Istio leads to the servers by the plain Service.
func servedByIstio(f base.Front) bool {
	return f.Gateway.Row().DestinationRule && f.ToService()
}

// poolTLS has Istio's proxies speak TLS to the servers of the pool. Istio knows them by a
// Service that it makes of the pool.
func poolTLS(s *base.Stack) *apis.DestinationRule {
	return serverTLS(s, base.Derived(s.PoolName(), "tls", base.MaxLabel), base.ServiceHost(schema.IstioPoolService(s.PoolName()), s.Namespace()))
}

// serviceTLS has Istio's proxies speak TLS to the servers behind the plain Service.
func serviceTLS(s *base.Stack) *apis.DestinationRule {
	return serverTLS(s, base.Derived(s.ServiceName(), "service-tls", base.MaxLabel), base.ServiceHost(s.ServiceName(), s.Namespace()))
}

func serverTLS(s *base.Stack, name, host string) *apis.DestinationRule {
	return &apis.DestinationRule{
		TypeMeta:   metav1.TypeMeta{APIVersion: "networking.istio.io/v1", Kind: "DestinationRule"},
		ObjectMeta: s.Meta(base.ComponentDecode, name),
		Spec:       apis.DestinationRuleSpec{Host: host, TrafficPolicy: apis.TrafficPolicy{TLS: clientTLS(s)}},
	}
}

// clientTLS is how the servers are spoken to, nil for plain HTTP.
func clientTLS(s *base.Stack) *apis.ClientTLS {
	if !s.ServesTLS() {
		return nil
	}
	return &apis.ClientTLS{Mode: "SIMPLE", InsecureSkipVerify: true}
}

// istioWired reports whether Istio's proxies call the EPP.
func istioWired(f base.Front) bool {
	return f.Gateway.Row().DestinationRule && (f.Native() || f.Filtered() || f.RoutedElsewhere())
}

// eppTLS has Istio's proxies speak TLS to the EPP, on the ext_proc port alone: metrics
// are served in clear. The certificate is the EPP's own, or one from a Secret whose
// authority the proxies do not know, so it is not verified.
func eppTLS(s *base.Stack) *apis.DestinationRule {
	return &apis.DestinationRule{
		TypeMeta:   metav1.TypeMeta{APIVersion: "networking.istio.io/v1", Kind: "DestinationRule"},
		ObjectMeta: s.MetaIn(s.EPPNamespace(), base.ComponentEPP, s.EPPName()),
		Spec: apis.DestinationRuleSpec{
			Host: s.EPPHost(),
			TrafficPolicy: apis.TrafficPolicy{PortLevelSettings: []apis.PortTrafficPolicy{{
				Port:           apis.PortSelector{Number: s.Spec.Scheduler.Port},
				ConnectionPool: connectionPool(s.Spec.Scheduler.ConnectionPool),
				TLS:            apis.ClientTLS{Mode: "SIMPLE", InsecureSkipVerify: true},
			}}},
		},
	}
}

func loadBalancing(s *base.Stack) *apis.DestinationRule {
	spec := s.Spec.LoadBalancing
	return &apis.DestinationRule{
		TypeMeta:   metav1.TypeMeta{APIVersion: "networking.istio.io/v1", Kind: "DestinationRule"},
		ObjectMeta: s.Meta(base.ComponentDecode, cmp.Or(spec.Name, base.Derived(s.ServiceName(), "lb", base.MaxLabel))),
		Spec: apis.DestinationRuleSpec{
			Host: base.ServiceHost(s.ServiceName(), s.Namespace()),
			TrafficPolicy: apis.TrafficPolicy{
				LoadBalancer:   &apis.LoadBalancer{Simple: algorithm(spec.Algorithm)},
				ConnectionPool: connectionPool(spec.ConnectionPool),
				TLS:            clientTLS(s),
			},
		},
	}
}

// algorithm maps Istio's old name of LEAST_REQUEST, which its API no longer has a
// meaning of its own for (istio/api networking/v1alpha3/destination_rule.proto).
func algorithm(name string) string {
	if name == "LEAST_CONN" {
		return "LEAST_REQUEST"
	}
	return name
}

func connectionPool(spec *schema.ConnectionPool) *apis.ConnectionPool {
	if spec == nil {
		return nil
	}
	pool := &apis.ConnectionPool{}
	tcp := apis.ConnectionPoolTCP{
		MaxConnections: base.Clone(spec.MaxConnections),
		ConnectTimeout: seconds(spec.ConnectTimeout), MaxConnectionDuration: seconds(spec.MaxConnectionDuration),
	}
	if tcp != (apis.ConnectionPoolTCP{}) {
		pool.TCP = &tcp
	}
	http := apis.ConnectionPoolHTTP{
		HTTP1MaxPendingRequests:  base.Clone(spec.HTTP1MaxPendingRequests),
		HTTP2MaxRequests:         base.Clone(spec.HTTP2MaxRequests),
		MaxRequestsPerConnection: base.Clone(spec.MaxRequestsPerConnection),
		IdleTimeout:              seconds(spec.IdleTimeout),
	}
	if http != (apis.ConnectionPoolHTTP{}) {
		pool.HTTP = &http
	}
	return pool
}

// seconds is a duration as protobuf writes it, "" if there is none.
func seconds(d string) string {
	if d == "" {
		return ""
	}
	return envoy.Seconds(d)
}
