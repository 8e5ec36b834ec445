package helm

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
)

// RouterValues is values.yaml of the charts llm-d-router-gateway and
// llm-d-router-standalone, 0.9 and 0.10 (llm-d-router config/charts).
type RouterValues struct {
	Router    Router      `json:"router"`
	Provider  Provider    `json:"provider,omitempty"`
	HTTPRoute RouterRoute `json:"httpRoute,omitempty"`
}

// Router is what both charts have from routerlib. The last fields are those of 0.9
// that 0.10 has below epp.
type Router struct {
	EPP               RouterEPP                     `json:"epp,omitempty"`
	Proxy             RouterProxy                   `json:"proxy,omitempty"`
	Tokenizer         Tokenizer                     `json:"tokenizer,omitempty"`
	Monitoring        RouterMonitoring              `json:"monitoring,omitempty"`
	Tracing           Tracing                       `json:"tracing,omitempty"`
	InferencePool     RouterPool                    `json:"inferencePool,omitempty"`
	Objectives        []Objective                   `json:"inferenceObjectives,omitempty"`
	ModelServers      RouterServers                 `json:"modelServers,omitempty"`
	LatencyPredictor  map[string]any                `json:"latencyPredictor,omitempty"`
	ExtraServicePorts []corev1.ServicePort          `json:"extraServicePorts,omitempty"`
	ClusterDomain     string                        `json:"clusterDomain,omitempty"`
	ImagePullSecrets  []corev1.LocalObjectReference `json:"imagePullSecrets,omitempty"`
	Replicas          *int32                        `json:"replicas,omitempty"`
	Affinity          *corev1.Affinity              `json:"affinity,omitempty"`
	Tolerations       []corev1.Toleration           `json:"tolerations,omitempty"`
}

// RouterEPP is what a router says of the EPP's pod beyond the older chart.
type RouterEPP struct {
	Extension
	Parser                        string                     `json:"parser,omitempty"`
	Parsers                       []string                   `json:"parsers,omitempty"`
	PluginsConfig                 map[string]any             `json:"pluginsConfig,omitempty"`
	PodAnnotations                map[string]string          `json:"podAnnotations,omitempty"`
	PodSecurityContext            map[string]any             `json:"podSecurityContext,omitempty"`
	SecurityContext               map[string]any             `json:"securityContext,omitempty"`
	DeploymentStrategy            *appsv1.DeploymentStrategy `json:"deploymentStrategy,omitempty"`
	GRPCHealthPort                *int32                     `json:"grpcHealthPort,omitempty"`
	TerminationGracePeriodSeconds *int64                     `json:"terminationGracePeriodSeconds,omitempty"`
	Autoscaling                   map[string]any             `json:"autoscaling,omitempty"`
}

// RouterProxy is the proxy of a router without a Gateway.
type RouterProxy struct {
	Enabled                       *bool                       `json:"enabled,omitempty"`
	ProxyType                     string                      `json:"proxyType,omitempty"`
	Mode                          string                      `json:"mode,omitempty"`
	Replicas                      *int32                      `json:"replicas,omitempty"`
	FailOpen                      *bool                       `json:"failOpen,omitempty"`
	Image                         string                      `json:"image,omitempty"`
	Resources                     corev1.ResourceRequirements `json:"resources,omitempty"`
	Name                          string                      `json:"name,omitempty"`
	ImagePullPolicy               string                      `json:"imagePullPolicy,omitempty"`
	Command                       string                      `json:"command,omitempty"`
	Args                          []string                    `json:"args,omitempty"`
	Env                           []corev1.EnvVar             `json:"env,omitempty"`
	Ports                         []corev1.ContainerPort      `json:"ports,omitempty"`
	Volumes                       []any                       `json:"volumes,omitempty"`
	VolumeMounts                  []any                       `json:"volumeMounts,omitempty"`
	LivenessProbe                 map[string]any              `json:"livenessProbe,omitempty"`
	ReadinessProbe                map[string]any              `json:"readinessProbe,omitempty"`
	StartupProbe                  map[string]any              `json:"startupProbe,omitempty"`
	SecurityContext               map[string]any              `json:"securityContext,omitempty"`
	ConfigMap                     map[string]any              `json:"configMap,omitempty"`
	ConfigMapData                 map[string]any              `json:"configMapData,omitempty"`
	Presets                       map[string]any              `json:"presets,omitempty"`
	Autoscaling                   map[string]any              `json:"autoscaling,omitempty"`
	TerminationGracePeriodSeconds *int64                      `json:"terminationGracePeriodSeconds,omitempty"`
}

// Tokenizer is a render service in the EPP's pod.
type Tokenizer struct {
	Enabled        bool                         `json:"enabled,omitempty"`
	Flavor         string                       `json:"flavor,omitempty"`
	ModelName      string                       `json:"modelName,omitempty"`
	Image          Image                        `json:"image,omitempty"`
	Port           *int32                       `json:"port,omitempty"`
	Command        []string                     `json:"command,omitempty"`
	Args           []string                     `json:"args,omitempty"`
	ExtraArgs      []string                     `json:"extraArgs,omitempty"`
	InitContainers []corev1.Container           `json:"initContainers,omitempty"`
	Volumes        []corev1.Volume              `json:"volumes,omitempty"`
	Env            []corev1.EnvVar              `json:"env,omitempty"`
	Resources      *corev1.ResourceRequirements `json:"resources,omitempty"`
	VolumeMounts   []corev1.VolumeMount         `json:"volumeMounts,omitempty"`
	ReadinessProbe *corev1.Probe                `json:"readinessProbe,omitempty"`
}

// RouterMonitoring is Monitoring with the provider that the older chart had elsewhere.
type RouterMonitoring struct {
	Interval   string         `json:"interval,omitempty"`
	Prometheus map[string]any `json:"prometheus,omitempty"`
	Provider   struct {
		Name               string         `json:"name,omitempty"`
		GMP                map[string]any `json:"gmp,omitempty"`
		PrometheusOperator map[string]any `json:"prometheusoperator,omitempty"`
	} `json:"provider,omitempty"`
}

// RouterPool is the InferencePool.
type RouterPool struct {
	Create      *bool  `json:"create,omitempty"`
	FailureMode string `json:"failureMode,omitempty"`
	APIVersion  string `json:"apiVersion,omitempty"`
}

// RouterServers are the servers that the EPP picks from.
type RouterServers struct {
	Type        string `json:"type,omitempty"`
	Protocol    string `json:"protocol,omitempty"`
	TargetPorts []struct {
		Number int32 `json:"number"`
	} `json:"targetPorts,omitempty"`
	TargetPortNumber *int32            `json:"targetPortNumber,omitempty"`
	MatchLabels      map[string]string `json:"matchLabels,omitempty"`
}

// RouterRoute is the route to a Gateway that exists.
type RouterRoute struct {
	Create        bool              `json:"create,omitempty"`
	GatewayName   string            `json:"inferenceGatewayName,omitempty"`
	Namespace     string            `json:"inferenceGatewayNamespace,omitempty"`
	Timeout       string            `json:"requestTimeout,omitempty"`
	HeaderMatches map[string]string `json:"headerMatches,omitempty"`
}
