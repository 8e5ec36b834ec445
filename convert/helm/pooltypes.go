package helm

import (
	corev1 "k8s.io/api/core/v1"
)

// Pool is values.yaml of the inferencepool chart 1.5.0 and of older ones.
type Pool struct {
	InferenceExtension    Extension      `json:"inferenceExtension,omitempty"`
	InferencePool         InferencePool  `json:"inferencePool,omitempty"`
	Provider              Provider       `json:"provider,omitempty"`
	Istio                 ProviderIstio  `json:"istio,omitempty"` // of charts 1.0 and 1.1, below provider since
	ExperimentalHTTPRoute HTTPRoute      `json:"experimentalHttpRoute,omitempty"`
	InferenceObjectives   []Objective    `json:"inferenceObjectives,omitempty"`
	LatencyPredictor      map[string]any `json:"latencyPredictor,omitempty"`
	GKE                   map[string]any `json:"gke,omitempty"` // of charts 1.0
	Global                map[string]any `json:"global,omitempty"`
	Gateway               map[string]any `json:"gateway,omitempty"` // of the file that environments share with llm-d-infra
}

// Extension is the EPP.
type Extension struct {
	Replicas            *int32                      `json:"replicas,omitempty"`
	Image               Image                       `json:"image,omitempty"`
	ExtProcPort         *int32                      `json:"extProcPort,omitempty"`
	MetricsPort         *int32                      `json:"metricsPort,omitempty"`
	LeaderElection      *bool                       `json:"enableLeaderElection,omitempty"` // of charts 1.0
	FailureMode         string                      `json:"failureMode,omitempty"`
	LogVerbosity        *int32                      `json:"logVerbosity,omitempty"`
	Env                 any                         `json:"env,omitempty"`
	Flags               any                         `json:"flags,omitempty"`
	PluginsConfigFile   string                      `json:"pluginsConfigFile,omitempty"`
	PluginsCustomConfig map[string]string           `json:"pluginsCustomConfig,omitempty"`
	ExtraContainerPorts []corev1.ContainerPort      `json:"extraContainerPorts,omitempty"`
	ExtraServicePorts   []corev1.ServicePort        `json:"extraServicePorts,omitempty"`
	Affinity            *corev1.Affinity            `json:"affinity,omitempty"`
	Tolerations         []corev1.Toleration         `json:"tolerations,omitempty"`
	NodeSelector        map[string]string           `json:"nodeSelector,omitempty"`
	Resources           corev1.ResourceRequirements `json:"resources,omitempty"`
	Volumes             []corev1.Volume             `json:"volumes,omitempty"`
	VolumeMounts        []corev1.VolumeMount        `json:"volumeMounts,omitempty"`
	Sidecar             map[string]any              `json:"sidecar,omitempty"`
	EndpointsServer     *EndpointsServer            `json:"endpointsServer,omitempty"` // of the chart standalone
	Monitoring          struct {
		Interval string   `json:"interval,omitempty"`
		Secret   struct { // of charts 1.0
			Name string `json:"name,omitempty"`
		} `json:"secret,omitempty"`
		Prometheus struct {
			Enabled bool `json:"enabled,omitempty"`
			Auth    struct {
				Enabled    *bool  `json:"enabled,omitempty"`
				SecretName string `json:"secretName,omitempty"`
			} `json:"auth,omitempty"`
			ExtraLabels map[string]string `json:"extraLabels,omitempty"`
		} `json:"prometheus,omitempty"`
		GKE map[string]any `json:"gke,omitempty"`
	} `json:"monitoring,omitempty"`
	Tracing           Tracing        `json:"tracing,omitempty"`
	LatencyPredictor  map[string]any `json:"latencyPredictor,omitempty"`
	MetricsDataSource map[string]any `json:"metricsDataSource,omitempty"`
}

// EndpointsServer says where an EPP without an InferencePool finds the servers.
type EndpointsServer struct {
	CreateInferencePool *bool  `json:"createInferencePool,omitempty"`
	EndpointSelector    string `json:"endpointSelector,omitempty"`
	TargetPorts         any    `json:"targetPorts,omitempty"`
	ModelServerType     string `json:"modelServerType,omitempty"`
	ModelServerProtocol string `json:"modelServerProtocol,omitempty"`
}

// Image is the EPP's image; hub and name are registry and repository of old charts.
type Image struct {
	Registry   string `json:"registry,omitempty"`
	Repository string `json:"repository,omitempty"`
	Hub        string `json:"hub,omitempty"`
	Name       string `json:"name,omitempty"`
	Tag        string `json:"tag,omitempty"`
	PullPolicy string `json:"pullPolicy,omitempty"`
}

// InferencePool is the pool.
type InferencePool struct {
	APIVersion          string       `json:"apiVersion,omitempty"`
	TargetPorts         []TargetPort `json:"targetPorts,omitempty"`
	TargetPort          *int32       `json:"targetPort,omitempty"`
	TargetPortNumber    *int32       `json:"targetPortNumber,omitempty"`
	ModelServerType     string       `json:"modelServerType,omitempty"`
	ModelServerProtocol string       `json:"modelServerProtocol,omitempty"`
	Parser              string       `json:"parser,omitempty"`
	ModelServers        struct {
		MatchLabels map[string]string `json:"matchLabels,omitempty"`
	} `json:"modelServers,omitempty"`
}

// TargetPort is a port of the servers.
type TargetPort struct {
	Number int32 `json:"number"`
}

// Provider is the gateway's kind.
type Provider struct {
	Name  string         `json:"name,omitempty"`
	GKE   map[string]any `json:"gke,omitempty"`
	Istio ProviderIstio  `json:"istio,omitempty"`
}

// ProviderIstio is what Istio's proxies are told of the EPP.
type ProviderIstio struct {
	DestinationRule DestinationRule `json:"destinationRule,omitempty"`
}

// HTTPRoute is the chart's route to a Gateway that exists.
type HTTPRoute struct {
	Enabled                   bool              `json:"enabled,omitempty"`
	InferenceGatewayName      string            `json:"inferenceGatewayName,omitempty"`
	InferenceGatewayNamespace string            `json:"inferenceGatewayNamespace,omitempty"`
	RequestTimeout            string            `json:"requestTimeout,omitempty"`
	BaseModel                 string            `json:"baseModel,omitempty"`
	HeaderMatches             map[string]string `json:"headerMatches,omitempty"`
}

// Objective is an InferenceObjective.
type Objective struct {
	Name     string `json:"name"`
	Priority *int32 `json:"priority,omitempty"`
}
