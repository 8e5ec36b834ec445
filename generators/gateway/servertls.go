package gateway

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/inferstack/inferstack/generators/base"
	"github.com/inferstack/inferstack/generators/pool"
	"github.com/inferstack/inferstack/internal/apis"
)

// kgatewayTLS has kgateway speak TLS to the servers behind the plain Service, the only kind of
// backend of ours that its policy takes (kgateway v2.2
// api/v1alpha1/kgateway/backend_config_policy_types.go).
func (f front) kgatewayTLS() []base.Object {
	if !f.ServesTLS() || !f.ToService() {
		return nil
	}
	return []base.Object{&apis.BackendConfigPolicy{
		TypeMeta:   metav1.TypeMeta{APIVersion: "gateway.kgateway.dev/v1alpha1", Kind: "BackendConfigPolicy"},
		ObjectMeta: f.Meta(base.ComponentGateway, base.Derived(f.ServiceName(), "tls", base.MaxLabel)),
		Spec: apis.BackendConfigPolicySpec{
			TargetRefs: []apis.TargetReference{{Kind: "Service", Name: f.ServiceName()}},
			TLS:        apis.KGatewayTLS{InsecureSkipVerify: true},
		},
	}}
}

// agentgatewayTLS has agentgateway speak TLS to the servers. Pools are targets since
// agentgateway 1.2 (controller/api/v1alpha1/agentgateway/agentgateway_policy_types.go).
func (f front) agentgatewayTLS() (out []base.Object) {
	if !f.ServesTLS() {
		return nil
	}
	add := func(target apis.TargetReference) {
		out = append(out, &apis.AgentgatewayPolicy{
			TypeMeta:   metav1.TypeMeta{APIVersion: "agentgateway.dev/v1alpha1", Kind: "AgentgatewayPolicy"},
			ObjectMeta: f.Meta(base.ComponentGateway, base.Derived(target.Name, policySuffix[target.Kind], base.MaxLabel)),
			Spec: apis.AgentgatewayPolicySpec{
				TargetRefs: []apis.TargetReference{target},
				Backend:    apis.AgentgatewayBackendPolicy{TLS: apis.AgentgatewayTLS{InsecureSkipVerify: "All"}},
			},
		})
	}
	if f.Native() || f.RoutedElsewhere() {
		add(apis.TargetReference{Group: pool.Group, Kind: pool.Kind, Name: f.PoolName()})
	}
	if f.ToService() {
		add(apis.TargetReference{Kind: "Service", Name: f.ServiceName()})
	}
	return out
}

// policySuffix sets the policies of a pool and a Service of one name apart.
var policySuffix = map[string]string{pool.Kind: "tls", "Service": "service-tls"}
