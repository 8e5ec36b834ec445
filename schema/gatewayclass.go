package schema

import (
	"cmp"
	"fmt"
	"slices"
)

// A GatewayClass is what the compiler knows of a class of gateways. What has no entry here
// the class does not have, and a rule reports the field that asks for it.
type GatewayClass struct {
	// Name is the value of gateway.class.
	Name string
	// Names are the GatewayClasses that the class's controllers bring; the first is the
	// usual one. There are none when the class is a proxy of our own, without a Gateway.
	Names []string
	// Sections are the fields of the gateway that belong to this class alone.
	Sections []string
	// Parameters is the kind of object that configures the proxies of a Gateway.
	Parameters ParametersKind
	// ServiceTypeAnnotation sets the type of the proxies' Service where no object does.
	ServiceTypeAnnotation string
	// ExtProcLabel on a Gateway asks for its wiring to the EPP.
	ExtProcLabel string
	// Infrastructure says that labels and annotations reach the proxies by
	// spec.infrastructure, with the bounds of Gateway API.
	Infrastructure bool
	// Outside says that the proxies run outside of the cluster.
	Outside bool
	// RouteTimeouts says that the controller takes the timeouts of an HTTPRoute.
	RouteTimeouts bool
	// EnvoyFilter and DestinationRule say that the proxies read these kinds of Istio.
	EnvoyFilter, DestinationRule bool
	// NamedKinds are the kinds of object that get the gateway's very name, from us or from
	// the controller.
	NamedKinds []string
	// ServiceSuffix says that the controller makes a Service <name>-<GatewayClass>.
	ServiceSuffix bool
	// MissesPools says why the declared version cannot send to an InferencePool by itself,
	// and which field of the gateway is to be changed; it is nil where every version can.
	MissesPools func(*Gateway) (field, why string)
	// PoolTLS and ServiceTLS say why the gateway cannot speak TLS to the servers of an
	// InferencePool, and to those behind a Service. They are "" where it can.
	PoolTLS, ServiceTLS string
	// PlainPicker is said of an EPP that is served without TLS.
	PlainPicker Remark
	// OnePort is said of a pool with several target ports.
	OnePort string
	// Forbids lists the fields that have no effect on a Gateway that is made, and why.
	Forbids func(*Gateway) (fields []string, why string)
}

// A Remark is what is said of a field.
type Remark struct {
	Severity Severity
	Why      string
}

// A ParametersKind is the kind of object that a Gateway's parametersRef names.
type ParametersKind struct{ Group, Kind string }

// proxyFields configure the proxies of a Gateway.
var proxyFields = []string{"serviceType", "replicas", "image", "resources"}

// GatewayClasses is the table of the classes. A class is added by a row, and by what
// package generators/gateway makes for it alone.
var GatewayClasses = []GatewayClass{
	{
		Name: "istio",
		// OpenShift's classes are served by Istio.
		Names:                 []string{"istio", "openshift-default", "data-science-gateway-class"},
		Sections:              []string{"istio", "envoyFilter"},
		Parameters:            ParametersKind{Kind: "ConfigMap"},
		ServiceTypeAnnotation: "networking.istio.io/service-type", // istio pilot/pkg/config/kube/gatewaycommon/deploymentcontroller.go
		// Releases that look at the pools of a gateway by themselves ignore it
		// (gateway-api-inference-extension, Istio guide).
		ExtProcLabel:    "istio.io/enable-inference-extproc",
		RouteTimeouts:   true,
		EnvoyFilter:     true,
		DestinationRule: true,
		NamedKinds:      []string{"Gateway"},
		ServiceSuffix:   true,
		MissesPools: func(g *Gateway) (string, string) {
			if g.Istio.understandsPools() {
				return "", ""
			}
			return "extProc", "native needs Istio " + IstioSince("inference-pools") + " or later with ENABLE_GATEWAY_API_INFERENCE_EXTENSION=true; " +
				fmt.Sprintf("use envoyFilter, or correct istio (version %s, inferenceExtension %t)", g.Istio.Version, g.Istio.InferenceExtension)
		},
		Forbids: func(g *Gateway) ([]string, string) {
			if g.Istio.HasGatewayOptions() {
				return nil, ""
			}
			return []string{"replicas", "image", "resources"},
				"needs Istio " + IstioSince("gateway-options") + " or later (istio.version is " + g.Istio.Version + "), which reads a Gateway's options"
		},
	},
	{
		Name:       "kgateway",
		Names:      []string{"kgateway"},
		Sections:   []string{"kgateway"},
		Parameters: ParametersKind{"gateway.kgateway.dev", "GatewayParameters"},
		// So do all of its own examples.
		PlainPicker: Remark{Warning, "kgateway is known to speak TLS to the EPP only; leave it true"},
		// kgateway v2.2.0 pkg/kgateway/agentgatewaysyncer/backend/inferencepool/validation.go
		OnePort:        "gives the pool several target ports, and kgateway 2.2 marks a pool with more than one as invalid; have one server for all ranks, or use another class",
		PoolTLS:        "kgateway's policies for TLS take Services and not InferencePools; use route.backend: service",
		Infrastructure: true,
		RouteTimeouts:  true,
		NamedKinds:     []string{"Gateway", "Service"},
		MissesPools: func(g *Gateway) (string, string) {
			if g.KGateway.understandsPools() {
				return "", ""
			}
			return "kgateway.version", "kgateway " + g.KGateway.Version + " leaves InferencePool to agentgateway; use class agentgateway, or class envoy"
		},
	},
	{
		Name:       "agentgateway",
		Names:      []string{"agentgateway"},
		Parameters: ParametersKind{"agentgateway.dev", "AgentgatewayParameters"},
		// agentgateway controller/pkg/agentgateway/plugins/inference_plugin.go
		PlainPicker: Remark{Error, "must be true with gateway class agentgateway, which always speaks TLS to the EPP: every request would fail"},
		// kgateway v2.2.0 pkg/kgateway/agentgatewaysyncer/backend/inferencepool/validation.go
		OnePort:        "gives the pool several target ports, and agentgateway of kgateway 2.2 marks a pool with more than one as invalid; have one server for all ranks, or use another class",
		Infrastructure: true,
		RouteTimeouts:  true,
		NamedKinds:     []string{"Gateway", "Service"},
	},
	{
		Name:       "gke",
		Names:      []string{"gke-l7-regional-external-managed", "gke-l7-rilb"},
		Sections:   []string{"gke"},
		Outside:    true,
		PoolTLS:    "the appProtocol of an InferencePool is http or kubernetes.io/h2c, and no policy of GKE says otherwise",
		ServiceTLS: "the health checks of its load balancer ask the servers by plain HTTP",
		NamedKinds: []string{"Gateway"},
		Forbids: func(*Gateway) ([]string, string) {
			return proxyFields, "is not used with class gke, whose proxies are not in the cluster"
		},
	},
	{
		Name:          "envoy",
		Sections:      []string{"envoy"},
		RouteTimeouts: true,
		NamedKinds:    []string{"Service"},
		Forbids: func(*Gateway) ([]string, string) {
			return []string{"className", "existing", "listeners", "allowedNamespaces", "extProc"},
				"belongs to a Gateway, and class envoy is a proxy without one; its ports are in the envoy section"
		},
	},
}

// ClassNamed returns the row of a class.
func ClassNamed(name string) GatewayClass {
	i := slices.IndexFunc(GatewayClasses, func(c GatewayClass) bool { return c.Name == name })
	if i < 0 {
		return GatewayClass{Name: name, Names: []string{name}}
	}
	return GatewayClasses[i]
}

// ClassServing returns the class whose controllers bring a GatewayClass.
func ClassServing(gatewayClassName string) (GatewayClass, bool) {
	for _, c := range GatewayClasses {
		if slices.Contains(c.Names, gatewayClassName) {
			return c, true
		}
	}
	return GatewayClass{}, false
}

// Row returns what is known of the gateway's class.
func (g *Gateway) Row() GatewayClass { return ClassNamed(g.Class) }

// ProxyServiceName is the name of the Service that the controller makes for the Gateway, of the
// Gateway's.
func (g *Gateway) ProxyServiceName(name string) string {
	if g.Row().ServiceSuffix {
		return name + "-" + g.GatewayClassName()
	}
	return name
}

// MissesPools says why the gateway cannot send to an InferencePool by itself, and in which
// field; both are "" when it can.
func (g *Gateway) MissesPools() (field, why string) {
	if misses := g.Row().MissesPools; misses != nil {
		return misses(g)
	}
	return "", ""
}

// Standalone reports whether the gateway is a proxy of our own instead of a Gateway.
func (g *Gateway) Standalone() bool { return len(g.Row().Names) == 0 }

// GatewayClassName is the GatewayClass that the Gateway names.
func (g *Gateway) GatewayClassName() string {
	usual := g.Row().Names[0]
	if g.Class == "gke" {
		usual = g.GKE.LoadBalancer
	}
	return cmp.Or(g.ClassName, usual)
}

// Forbidden lists the fields of the gateway that have no effect, and why.
func (g *Gateway) Forbidden() (fields []string, why string) {
	row := g.Row()
	switch {
	case g.Existing && !g.Standalone():
		return slices.Concat([]string{"className", "listeners", "allowedNamespaces"}, proxyFields, []string{"labels", "annotations"}),
			"belongs to a Gateway that is made, and existing is true; set it where that Gateway is made"
	case row.Forbids != nil:
		return row.Forbids(g)
	case row.Parameters.Kind == "" && !g.Standalone():
		return proxyFields, "has no effect with class " + g.Class + ", whose proxies nothing configures"
	default:
		return nil, ""
	}
}
