// Package simop converts the resources of llm-d-scheduler-sim-operator:
// SimulatorDeployment and SchedulerInstall (sim.llm-d.io/v1alpha1). What the
// operator deploys under fixed names keeps those names.
package simop

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// SimulatorDeployment is config/crd/sim.llm-d.io_simulatordeployments.yaml of the
// operator.
type SimulatorDeployment struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   SimulatorSpec  `json:"spec,omitempty"`
	Status map[string]any `json:"status,omitempty"`
}

// SimulatorSpec is the spec of a SimulatorDeployment.
type SimulatorSpec struct {
	Replicas         *int32                      `json:"replicas,omitempty"`
	Image            string                      `json:"image,omitempty"`
	LogVerbosity     *int32                      `json:"logVerbosity,omitempty"`
	Resources        corev1.ResourceRequirements `json:"resources,omitempty"`
	Service          Service                     `json:"service,omitempty"`
	Gateway          LegacyGateway               `json:"gateway,omitempty"`
	LoadBalancing    LoadBalancing               `json:"loadBalancing,omitempty"`
	EPP              EPP                         `json:"epp,omitempty"`
	Prefill          Stage                       `json:"prefill,omitempty"`
	Decode           Stage                       `json:"decode,omitempty"`
	InferenceGateway InferenceGateway            `json:"inferenceGateway,omitempty"`
}

// Service is the proxy Service.
type Service struct {
	Name string `json:"name,omitempty"`
	Port *int32 `json:"port,omitempty"`
	Type string `json:"type,omitempty"`
}

// LegacyGateway is the gateway of the single-deployment mode.
type LegacyGateway struct {
	Enabled   bool   `json:"enabled,omitempty"`
	ClassName string `json:"className,omitempty"`
	RouteName string `json:"routeName,omitempty"`
}

// LoadBalancing is a DestinationRule; SchedulerInstall calls it destinationRule.
type LoadBalancing struct {
	Enabled        bool            `json:"enabled,omitempty"`
	Algorithm      string          `json:"algorithm,omitempty"`
	ConnectionPool *ConnectionPool `json:"connectionPool,omitempty"`
}

// ConnectionPool holds the limits of a DestinationRule.
type ConnectionPool struct {
	HTTP1MaxPendingRequests  *int32 `json:"http1MaxPendingRequests,omitempty"`
	MaxRequestsPerConnection *int32 `json:"maxRequestsPerConnection,omitempty"`
}

// EPP is the endpoint picker; the last fields are SchedulerInstall's alone.
type EPP struct {
	Enabled   bool                        `json:"enabled,omitempty"`
	Image     string                      `json:"image,omitempty"`
	Port      *int32                      `json:"port,omitempty"`
	Verbosity *int32                      `json:"verbosity,omitempty"`
	Args      []string                    `json:"args,omitempty"`
	Replicas  *int32                      `json:"replicas,omitempty"`
	Resources corev1.ResourceRequirements `json:"resources,omitempty"`
}

// Stage is the prefill or decode stage.
type Stage struct {
	Enabled      bool                        `json:"enabled,omitempty"`
	Replicas     *int32                      `json:"replicas,omitempty"`
	Image        string                      `json:"image,omitempty"`
	Port         *int32                      `json:"port,omitempty"`
	LogVerbosity *int32                      `json:"logVerbosity,omitempty"`
	Args         []string                    `json:"args,omitempty"`
	Resources    corev1.ResourceRequirements `json:"resources,omitempty"`
}

// InferenceGateway holds the two gateways of the staged mode.
type InferenceGateway struct {
	Enabled  bool     `json:"enabled,omitempty"`
	Standard Instance `json:"standard,omitempty"`
	Istio    Instance `json:"istio,omitempty"`
}

// Instance is one gateway.
type Instance struct {
	Enabled   bool                        `json:"enabled,omitempty"`
	Replicas  *int32                      `json:"replicas,omitempty"`
	Image     string                      `json:"image,omitempty"`
	Port      *int32                      `json:"port,omitempty"`
	Resources corev1.ResourceRequirements `json:"resources,omitempty"`
}

// SchedulerInstall is config/crd/sim.llm-d.io_schedulerinstalls.yaml of the operator.
type SchedulerInstall struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   InstallSpec    `json:"spec,omitempty"`
	Status map[string]any `json:"status,omitempty"`
}

// InstallSpec is the spec of a SchedulerInstall.
type InstallSpec struct {
	SchedulerNamespace string        `json:"schedulerNamespace,omitempty"`
	SimulatorNamespace string        `json:"simulatorNamespace,omitempty"`
	ProxyService       ProxyService  `json:"proxyService,omitempty"`
	EPP                InstallEPP    `json:"epp,omitempty"`
	Gateway            Gateway       `json:"gateway,omitempty"`
	Routing            Routing       `json:"routing,omitempty"`
	DestinationRule    LoadBalancing `json:"destinationRule,omitempty"`
	EnvoyFilter        EnvoyFilter   `json:"envoyFilter,omitempty"`
}

// ProxyService is the Service over the decode servers.
type ProxyService struct {
	Name       string            `json:"name,omitempty"`
	Port       *int32            `json:"port,omitempty"`
	TargetPort *int32            `json:"targetPort,omitempty"`
	Selector   map[string]string `json:"selector,omitempty"`
}

// InstallEPP is the endpoint picker and the pool that it watches.
type InstallEPP struct {
	EPP           `json:",inline"`
	Name          string `json:"name,omitempty"`
	PoolName      string `json:"poolName,omitempty"`
	PoolNamespace string `json:"poolNamespace,omitempty"`
	ConfigProfile string `json:"configProfile,omitempty"`
}

// Gateway is the scheduler's Gateway.
type Gateway struct {
	Enabled          bool   `json:"enabled,omitempty"`
	Name             string `json:"name,omitempty"`
	ClassName        string `json:"className,omitempty"`
	ListenerPort     *int32 `json:"listenerPort,omitempty"`
	ListenerProtocol string `json:"listenerProtocol,omitempty"`
}

// Routing is the HTTPRoute.
type Routing struct {
	Enabled       bool      `json:"enabled,omitempty"`
	BackendType   string    `json:"backendType,omitempty"`
	HTTPRouteName string    `json:"httpRouteName,omitempty"`
	InferencePool PoolRef   `json:"inferencePool,omitempty"`
	ParentGateway ParentRef `json:"parentGateway,omitempty"`
}

// PoolRef names an InferencePool.
type PoolRef struct {
	Name      string `json:"name,omitempty"`
	Namespace string `json:"namespace,omitempty"`
	Port      *int32 `json:"port,omitempty"`
}

// ParentRef names a Gateway.
type ParentRef struct {
	Name      string `json:"name,omitempty"`
	Namespace string `json:"namespace,omitempty"`
}

// EnvoyFilter wires the EPP into an Istio gateway.
type EnvoyFilter struct {
	Enabled          bool              `json:"enabled,omitempty"`
	Name             string            `json:"name,omitempty"`
	WorkloadSelector map[string]string `json:"workloadSelector,omitempty"`
}
