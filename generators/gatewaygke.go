package generators

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/inferstack/inferstack/generators/apis"
)

// backendPolicies makes GKE's policies for what the route leads to. GKE's load balancer
// probes the servers itself, on / unless told otherwise, and gives up on a response
// after 30 seconds (llm-d-router config/charts/llm-d-router-gateway/templates/gke.yaml).
func backendPolicies(s *Stack) []Object {
	for _, f := range s.fronts() {
		if f.gw.Class == "gke" && f.hasRoute() {
			return f.backendPolicies() // one for the pool, whatever the number of gateways
		}
	}
	return nil
}

func (f front) backendPolicies() []Object {
	target := f.backendTarget()
	meta := f.meta(componentGateway, derived(target.Name, "gke", maxLabel))
	return []Object{
		&apis.HealthCheckPolicy{
			TypeMeta:   metav1.TypeMeta{APIVersion: "networking.gke.io/v1", Kind: "HealthCheckPolicy"},
			ObjectMeta: meta,
			Spec: apis.HealthCheckPolicySpec{
				Default: apis.HealthCheck{
					CheckIntervalSec: 2,
					TimeoutSec:       2,
					Config: apis.HealthCheckConfig{Type: "HTTP", HTTPHealthCheck: apis.HTTPHealthCheck{
						RequestPath: f.gw.GKE.HealthCheckPath,
						Port:        f.firstTargetPort(),
					}},
				},
				TargetRef: target,
			},
		},
		&apis.GCPBackendPolicy{
			TypeMeta:   metav1.TypeMeta{APIVersion: "networking.gke.io/v1", Kind: "GCPBackendPolicy"},
			ObjectMeta: *meta.DeepCopy(),
			Spec: apis.GCPBackendPolicySpec{
				Default: apis.BackendPolicy{
					TimeoutSec: f.gw.GKE.BackendTimeoutSeconds,
					Logging:    apis.BackendLogging{Enabled: f.gw.GKE.Logging},
				},
				TargetRef: target,
			},
		},
	}
}

// backendTarget is the object that the route leads to.
func (f front) backendTarget() apis.TargetReference {
	if f.native() {
		return apis.TargetReference{Group: poolGroup, Kind: poolKind, Name: f.poolName()}
	}
	return apis.TargetReference{Kind: "Service", Name: f.serviceName()}
}

// firstTargetPort is the port of the servers that is asked for their health.
func (s *Stack) firstTargetPort() int32 {
	if ports := s.Spec.Pool.TargetPorts; len(ports) > 0 {
		return ports[0]
	}
	return s.Spec.Server.Port
}
