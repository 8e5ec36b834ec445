// Package helm converts the values files of the charts that llm-d's well-lit paths
// install: llm-d-infra, inferencepool (Gateway API Inference Extension) and
// llm-d-modelservice. The types are the charts' values, older spellings included;
// what no version of a chart knows is refused.
package helm

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// Infra is values.yaml of llm-d-infra 1.4.0.
type Infra struct {
	Common            map[string]any    `json:"common,omitempty"`
	Global            map[string]any    `json:"global,omitempty"`
	KubeVersion       string            `json:"kubeVersion,omitempty"`
	NameOverride      string            `json:"nameOverride,omitempty"`
	FullnameOverride  string            `json:"fullnameOverride,omitempty"`
	ClusterDomain     string            `json:"clusterDomain,omitempty"`
	CommonLabels      map[string]string `json:"commonLabels,omitempty"`
	CommonAnnotations map[string]string `json:"commonAnnotations,omitempty"`
	ExtraDeploy       []any             `json:"extraDeploy,omitempty"`
	Gateway           InfraGateway      `json:"gateway,omitempty"`
	Ingress           Ingress           `json:"ingress,omitempty"`
	Provider          struct {
		Name string `json:"name,omitempty"`
	} `json:"provider,omitempty"`
}

// InfraGateway is the Gateway.
type InfraGateway struct {
	Enabled           *bool             `json:"enabled,omitempty"`
	FullnameOverride  string            `json:"fullnameOverride,omitempty"`
	NameOverride      string            `json:"nameOverride,omitempty"`
	Provider          *string           `json:"provider,omitempty"`
	GatewayClassName  string            `json:"gatewayClassName,omitempty"`
	Labels            map[string]string `json:"labels,omitempty"`
	Annotations       map[string]string `json:"annotations,omitempty"`
	GatewayParameters struct {
		Enabled        *bool                       `json:"enabled,omitempty"`
		LogLevel       string                      `json:"logLevel,omitempty"`
		Resources      corev1.ResourceRequirements `json:"resources,omitempty"`
		Istio          map[string]any              `json:"istio,omitempty"`
		Agentgateway   map[string]any              `json:"agentgateway,omitempty"`
		AccessLogging  *bool                       `json:"accessLogging,omitempty"`  // of charts 1.3, below istio since
		ProxyUID       any                         `json:"proxyUID,omitempty"`       // of charts 1.0 and 1.1
		FloatingUserID bool                        `json:"floatingUserId,omitempty"` // of charts 1.3
	} `json:"gatewayParameters,omitempty"`
	Exposure struct {
		Type string `json:"type,omitempty"`
	} `json:"exposure,omitempty"`
	Service struct {
		Type              string `json:"type,omitempty"`
		Ports             []any  `json:"ports,omitempty"`
		LoadBalancerClass string `json:"loadBalancerClass,omitempty"`
	} `json:"service,omitempty"`
	ServiceType     string          `json:"serviceType,omitempty"` // of charts before 1.3, service.type since
	TLS             map[string]any  `json:"tls,omitempty"`
	DestinationRule DestinationRule `json:"destinationRule,omitempty"`
	Listeners       []Listener      `json:"listeners,omitempty"`
}

// DestinationRule is the one that charts make for the EPP.
type DestinationRule struct {
	Enabled          bool           `json:"enabled,omitempty"`
	Host             string         `json:"host,omitempty"`
	TrafficPolicy    map[string]any `json:"trafficPolicy,omitempty"`
	Subsets          []any          `json:"subsets,omitempty"`
	ExportTo         []string       `json:"exportTo,omitempty"`
	WorkloadSelector map[string]any `json:"workloadSelector,omitempty"`
}

// Listener is one listener of the Gateway.
type Listener struct {
	Name          string `json:"name,omitempty"`
	Port          int32  `json:"port"`
	Protocol      string `json:"protocol"`
	Hostname      string `json:"hostname,omitempty"`
	Path          string `json:"path,omitempty"` // of the Ingress before the gateway
	PathType      string `json:"pathType,omitempty"`
	AllowedRoutes struct {
		Namespaces struct {
			From     string         `json:"from,omitempty"`
			Selector map[string]any `json:"selector,omitempty"`
		} `json:"namespaces,omitempty"`
		Kinds []any `json:"kinds,omitempty"`
	} `json:"allowedRoutes,omitempty"`
	TLS *ListenerTLS `json:"tls,omitempty"`
}

// ListenerTLS is the certificate of a listener.
type ListenerTLS struct {
	Hostname        string `json:"hostname,omitempty"`
	Mode            string `json:"mode,omitempty"`
	CertificateRefs []struct {
		Group     string `json:"group,omitempty"`
		Kind      string `json:"kind,omitempty"`
		Name      string `json:"name"`
		Namespace string `json:"namespace,omitempty"`
	} `json:"certificateRefs,omitempty"`
}

// Ingress is one before the gateway, where its Service is not reached from outside.
type Ingress struct {
	Enabled           bool              `json:"enabled,omitempty"`
	IngressClassName  string            `json:"ingressClassName,omitempty"`
	Annotations       map[string]string `json:"annotations,omitempty"`
	Host              string            `json:"host,omitempty"`
	ClusterRouterBase string            `json:"clusterRouterBase,omitempty"` // of charts before 1.3
	ExtraHosts        []IngressHost     `json:"extraHosts,omitempty"`
	Path              string            `json:"path,omitempty"`
	TLS               struct {
		Enabled    bool   `json:"enabled,omitempty"`
		SecretName string `json:"secretName,omitempty"`
	} `json:"tls,omitempty"`
	ExtraTLS []any `json:"extraTls,omitempty"`
	Rules    []any `json:"rules,omitempty"`
}

// IngressHost is a further host of the Ingress.
type IngressHost struct {
	Name     string `json:"name,omitempty"`
	Path     string `json:"path,omitempty"`
	PathType string `json:"pathType,omitempty"`
	Port     *int32 `json:"port,omitempty"`
}

// Model is values.yaml of llm-d-modelservice 0.4.12 and of older ones.
type Model struct {
	Common                 map[string]any `json:"common,omitempty"`
	Global                 map[string]any `json:"global,omitempty"`
	Enabled                *bool          `json:"enabled,omitempty"`
	NameOverride           string         `json:"nameOverride,omitempty"`
	FullnameOverride       string         `json:"fullnameOverride,omitempty"`
	ServiceAccountOverride string         `json:"serviceAccountOverride,omitempty"`
	SchedulerName          string         `json:"schedulerName,omitempty"`
	Tracing                Tracing        `json:"tracing,omitempty"`
	ModelArtifacts         Artifacts      `json:"modelArtifacts,omitempty"`
	Multinode              bool           `json:"multinode,omitempty"`
	Accelerator            Accelerator    `json:"accelerator,omitempty"`
	DRA                    *OlderDRA      `json:"dra,omitempty"`
	Requester              map[string]any `json:"requester,omitempty"`
	Routing                Routing        `json:"routing,omitempty"`
	Decode                 *Role          `json:"decode,omitempty"`
	Prefill                *Role          `json:"prefill,omitempty"`
	ExtraObjects           []any          `json:"extraObjects,omitempty"`
}

// Tracing is OpenTelemetry's.
type Tracing struct {
	Enabled              bool   `json:"enabled,omitempty"`
	OTLPEndpoint         string `json:"otlpEndpoint,omitempty"`
	OTelExporterEndpoint string `json:"otelExporterEndpoint,omitempty"`
	Sampling             struct {
		Sampler    string `json:"sampler,omitempty"`
		SamplerArg string `json:"samplerArg,omitempty"`
	} `json:"sampling,omitempty"`
	ServiceNames map[string]string `json:"serviceNames,omitempty"`
	VLLM         map[string]any    `json:"vllm,omitempty"`
}

// Artifacts is the model.
type Artifacts struct {
	Name           string             `json:"name,omitempty"`
	Labels         map[string]string  `json:"labels,omitempty"`
	URI            string             `json:"uri,omitempty"`
	Size           *resource.Quantity `json:"size,omitempty"`
	AuthSecretName string             `json:"authSecretName,omitempty"`
	MountPath      string             `json:"mountPath,omitempty"`
	ReadOnly       *bool              `json:"readOnly,omitempty"`
	Volume         struct {
		ExistingClaim string `json:"existingClaim,omitempty"`
	} `json:"volume,omitempty"`
}

// Accelerator is the kind of accelerators, of all roles or of one.
type Accelerator struct {
	Type                   string                     `json:"type,omitempty"`
	DRA                    *bool                      `json:"dra,omitempty"`
	Resources              map[string]string          `json:"resources,omitempty"`
	Env                    map[string][]corev1.EnvVar `json:"env,omitempty"`
	ResourceClaimTemplates map[string]ClaimTemplate   `json:"resourceClaimTemplates,omitempty"`
}

// OlderDRA are the accelerators of charts 0.3.1 to 0.3.18, in the place of Accelerator
// (llm-d-modelservice, values.yaml).
type OlderDRA struct {
	Enabled        bool            `json:"enabled,omitempty"`
	Type           string          `json:"type,omitempty"`
	ClaimTemplates []ClaimTemplate `json:"claimTemplates,omitempty"`
}

// ClaimTemplate is a ResourceClaimTemplate that the chart makes.
type ClaimTemplate struct {
	Name      string `json:"name,omitempty"`
	Class     string `json:"class,omitempty"`
	Match     string `json:"match,omitempty"`
	Count     *int32 `json:"count,omitempty"`
	Selectors []any  `json:"selectors,omitempty"`
}

// Routing is the servers' port and the routing sidecar. The last fields are those of
// charts before 0.3, which made the pool and the route as well.
type Routing struct {
	ModelName      string         `json:"modelName,omitempty"`
	MatchHeader    string         `json:"matchHeader,omitempty"` // for templates in httpRoute
	MatchValue     string         `json:"matchHeaderValue,omitempty"`
	ServicePort    *int32         `json:"servicePort,omitempty"`
	Proxy          Proxy          `json:"proxy,omitempty"`
	ParentRefs     []any          `json:"parentRefs,omitempty"`
	InferenceModel map[string]any `json:"inferenceModel,omitempty"`
	InferencePool  map[string]any `json:"inferencePool,omitempty"`
	HTTPRoute      map[string]any `json:"httpRoute,omitempty"`
	EPP            map[string]any `json:"epp,omitempty"`
}

// Proxy is the routing sidecar.
type Proxy struct {
	Enabled            *bool  `json:"enabled,omitempty"`
	Image              string `json:"image,omitempty"`
	ImagePullPolicy    string `json:"imagePullPolicy,omitempty"`
	TargetPort         *int32 `json:"targetPort,omitempty"`
	Connector          string `json:"connector,omitempty"`
	Secure             bool   `json:"secure,omitempty"`
	PrefillerUseTLS    *bool  `json:"prefillerUseTLS,omitempty"`
	CertPath           string `json:"certPath,omitempty"`
	DebugLevel         any    `json:"debugLevel,omitempty"`
	ZapDevel           any    `json:"zapDevel,omitempty"`
	ZapEncoder         string `json:"zapEncoder,omitempty"`
	ZapLogLevel        any    `json:"zapLogLevel,omitempty"`
	ZapStacktraceLevel string `json:"zapStacktraceLevel,omitempty"`
	ZapTimeEncoding    string `json:"zapTimeEncoding,omitempty"`
}
