package gateway

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/inferstack/inferstack/generators/base"
	"github.com/inferstack/inferstack/generators/pool"
	"github.com/inferstack/inferstack/internal/apis"
)

// backendPolicies makes GKE's policies for what the route leads to. GKE's load balancer
// probes the servers itself, on / unless told otherwise, and gives up on a response
// after 30 seconds (llm-d-router config/charts/llm-d-router-gateway/templates/gke.yaml).
func (f front) backendPolicies() []base.Object {
	target := f.backendTarget()
	meta := f.Meta(base.ComponentGateway, base.Derived(target.Name, "gke", base.MaxLabel))
	return []base.Object{
		&apis.HealthCheckPolicy{
			TypeMeta:   metav1.TypeMeta{APIVersion: "networking.gke.io/v1", Kind: "HealthCheckPolicy"},
			ObjectMeta: meta,
			Spec: apis.HealthCheckPolicySpec{
				Default: apis.HealthCheck{
					CheckIntervalSec: 2,
					TimeoutSec:       2,
					Config: apis.HealthCheckConfig{Type: "HTTP", HTTPHealthCheck: apis.HTTPHealthCheck{
						RequestPath: f.Gateway.GKE.HealthCheckPath,
						Port:        firstTargetPort(f.Stack),
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
					TimeoutSec:         f.Gateway.GKE.BackendTimeoutSeconds,
					ConnectionDraining: apis.ConnectionDraining{DrainingTimeoutSec: f.draining()},
					Logging:            apis.BackendLogging{Enabled: f.Gateway.GKE.Logging},
				},
				TargetRef: target,
			},
		},
	}
}

// draining is how long GKE's load balancer lets requests go on to a pod that leaves: as long
// as the pod does. Without it they are cut at once (compute API, BackendService
// connectionDraining, which takes up to an hour).
func (f front) draining() int32 {
	const longest = 3600
	return min(f.Spec.Server.TerminationGracePeriodSeconds, longest)
}

// backendTarget is the object that the route leads to.
func (f front) backendTarget() apis.TargetReference {
	if f.Native() || f.RoutedElsewhere() {
		return apis.TargetReference{Group: pool.Group, Kind: pool.Kind, Name: f.PoolName()}
	}
	return apis.TargetReference{Kind: "Service", Name: f.ServiceName()}
}

// firstTargetPort is the port of the servers that is asked for their health.
func firstTargetPort(s *base.Stack) int32 {
	if ports := s.Spec.Pool.TargetPorts; len(ports) > 0 {
		return ports[0]
	}
	return s.Spec.Server.Port
}
