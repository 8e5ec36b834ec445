package apis

import corev1 "k8s.io/api/core/v1"

// GatewayParameters of gateway.kgateway.dev/v1alpha1.
type GatewayParameters = Resource[GatewayParametersSpec]

// GatewayParametersSpec holds the settings of a kgateway proxy.
type GatewayParametersSpec struct {
	Kube KubeProxy `json:"kube"`
}

// KubeProxy is a proxy that runs in the cluster.
type KubeProxy struct {
	Deployment     *ProxyDeployment `json:"deployment,omitempty"`
	EnvoyContainer *EnvoyContainer  `json:"envoyContainer,omitempty"`
	Service        *ProxyService    `json:"service,omitempty"`
}

// ProxyDeployment is the proxy's Deployment.
type ProxyDeployment struct {
	Replicas *int32 `json:"replicas,omitempty"`
}

// EnvoyContainer is the proxy's container.
type EnvoyContainer struct {
	Image     *Image                       `json:"image,omitempty"`
	Resources *corev1.ResourceRequirements `json:"resources,omitempty"`
}

// Image is an image reference in parts; the controller joins registry, repository and
// tag or digest.
type Image struct {
	Registry   string `json:"registry,omitempty"`
	Repository string `json:"repository"`
	Tag        string `json:"tag,omitempty"`
	Digest     string `json:"digest,omitempty"`
}

// ProxyService is the proxy's Service.
type ProxyService struct {
	Type string `json:"type"`
}

// AgentgatewayParameters of agentgateway.dev/v1alpha1.
type AgentgatewayParameters = Resource[AgentgatewayParametersSpec]

// AgentgatewayParametersSpec holds the settings of an agentgateway proxy. Deployment
// and Service are strategic merge patches over what the controller makes.
type AgentgatewayParametersSpec struct {
	Image      *Image                       `json:"image,omitempty"`
	Resources  *corev1.ResourceRequirements `json:"resources,omitempty"`
	Deployment *Overlay                     `json:"deployment,omitempty"`
	Service    *Overlay                     `json:"service,omitempty"`
}

// Overlay is a strategic merge patch over an object.
type Overlay struct {
	Spec OverlaySpec `json:"spec"`
}

// OverlaySpec holds the fields of a Deployment's or Service's spec that are set.
type OverlaySpec struct {
	Replicas *int32 `json:"replicas,omitempty"`
	Type     string `json:"type,omitempty"`
}

// BackendConfigPolicy of gateway.kgateway.dev/v1alpha1.
type BackendConfigPolicy = Resource[BackendConfigPolicySpec]

// BackendConfigPolicySpec says how kgateway talks to a backend.
type BackendConfigPolicySpec struct {
	TargetRefs []TargetReference `json:"targetRefs"`
	TLS        KGatewayTLS       `json:"tls"`
}

// KGatewayTLS is the client's side of TLS.
type KGatewayTLS struct {
	InsecureSkipVerify bool `json:"insecureSkipVerify"`
}

// AgentgatewayPolicy of agentgateway.dev/v1alpha1.
type AgentgatewayPolicy = Resource[AgentgatewayPolicySpec]

// AgentgatewayPolicySpec says how agentgateway talks to a backend.
type AgentgatewayPolicySpec struct {
	TargetRefs []TargetReference         `json:"targetRefs"`
	Backend    AgentgatewayBackendPolicy `json:"backend"`
}

// AgentgatewayBackendPolicy is the part for backends.
type AgentgatewayBackendPolicy struct {
	TLS AgentgatewayTLS `json:"tls"`
}

// AgentgatewayTLS is the client's side of TLS.
type AgentgatewayTLS struct {
	InsecureSkipVerify string `json:"insecureSkipVerify"`
}
