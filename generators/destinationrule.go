package generators

import (
	"cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/inferstack/inferstack/generators/apis"
)

// destinationRules makes the DestinationRules: TLS to the EPP, and load balancing of
// the plain Service. Each is in the namespace of its Service, where every proxy of the
// mesh finds it.
func destinationRules(s *Stack) []Object {
	var objects []Object
	if s.Spec.Scheduler.Enabled && s.Spec.Scheduler.SecureServing && s.anyFront(front.istioWired) {
		objects = append(objects, s.eppTLS())
	}
	if s.Spec.LoadBalancing != nil {
		objects = append(objects, s.loadBalancing())
	}
	return objects
}

// istioWired says whether Istio's proxies call the EPP.
func (f front) istioWired() bool {
	return f.gw.Class == "istio" && (f.native() || f.filtered())
}

// eppTLS has Istio's proxies speak TLS to the EPP, on the ext_proc port alone: metrics
// are served in clear. The certificate is the EPP's own, or one from a Secret whose
// authority the proxies do not know, so it is not verified.
func (s *Stack) eppTLS() *apis.DestinationRule {
	return &apis.DestinationRule{
		TypeMeta:   metav1.TypeMeta{APIVersion: "networking.istio.io/v1", Kind: "DestinationRule"},
		ObjectMeta: s.metaIn(s.eppNamespace(), componentEPP, s.eppName()),
		Spec: apis.DestinationRuleSpec{
			Host: s.eppHost(),
			TrafficPolicy: apis.TrafficPolicy{PortLevelSettings: []apis.PortTrafficPolicy{{
				Port: apis.PortSelector{Number: s.Spec.Scheduler.Port},
				TLS:  apis.ClientTLS{Mode: "SIMPLE", InsecureSkipVerify: true},
			}}},
		},
	}
}

func (s *Stack) loadBalancing() *apis.DestinationRule {
	spec := s.Spec.LoadBalancing
	return &apis.DestinationRule{
		TypeMeta:   metav1.TypeMeta{APIVersion: "networking.istio.io/v1", Kind: "DestinationRule"},
		ObjectMeta: s.meta(componentDecode, cmp.Or(spec.Name, derived(s.serviceName(), "lb", maxLabel))),
		Spec: apis.DestinationRuleSpec{
			Host: serviceHost(s.serviceName(), s.namespace()),
			TrafficPolicy: apis.TrafficPolicy{
				LoadBalancer:   &apis.LoadBalancer{Simple: algorithm(spec.Algorithm)},
				ConnectionPool: s.connectionPool(),
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

func (s *Stack) connectionPool() *apis.ConnectionPool {
	spec := s.Spec.LoadBalancing.ConnectionPool
	if spec == nil {
		return nil
	}
	pool := &apis.ConnectionPool{}
	if spec.MaxConnections != nil || spec.ConnectTimeout != "" {
		pool.TCP = &apis.ConnectionPoolTCP{MaxConnections: clone(spec.MaxConnections)}
		if spec.ConnectTimeout != "" {
			pool.TCP.ConnectTimeout = seconds(spec.ConnectTimeout)
		}
	}
	if spec.HTTP1MaxPendingRequests != nil || spec.HTTP2MaxRequests != nil || spec.MaxRequestsPerConnection != nil {
		pool.HTTP = &apis.ConnectionPoolHTTP{
			HTTP1MaxPendingRequests:  clone(spec.HTTP1MaxPendingRequests),
			HTTP2MaxRequests:         clone(spec.HTTP2MaxRequests),
			MaxRequestsPerConnection: clone(spec.MaxRequestsPerConnection),
		}
	}
	return pool
}
