package generators

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"

	"github.com/inferstack/inferstack/schema"
)

// Components, as value of the component label and as suffix of names.
const (
	componentEPP     = "epp"
	componentDecode  = "decode"
	componentPrefill = "prefill"
	componentGateway = "gateway"
	// componentProxy is not componentGateway: Istio puts the labels of a Gateway on its
	// pods, and the standalone proxy's Service must not select those.
	componentProxy  = "proxy"
	componentRender = "render"
	componentRedis  = "redis"
)

// Ports that two objects must agree on.
const (
	eppGRPCPort    = 9002
	eppHealthPort  = 9003
	eppMetricsPort = 9090
	renderPort     = 8000
	redisPort      = 6379
)

// Names of ports that two objects must agree on.
const (
	serverPortName  = "http"
	sidecarPortName = "sidecar"
	metricsPortName = "http-metrics"
	eppGRPCPortName = "grpc-ext-proc"
)

// serverPortNameOf names the port of a data-parallel rank of a pod: the model server's own
// port, not the routing sidecar's in front of it.
func serverPortNameOf(rank int) string {
	if rank == 0 {
		return serverPortName
	}
	return serverPortName + "-" + strconv.Itoa(rank)
}

// maxLabel is the length of a DNS label, which bounds most names.
const maxLabel = 63

// derived joins the stack's name and a suffix to a name of at most max characters. A
// longer one is cut, the name before the suffix, and gets a hash of the whole, so that two
// long names stay two.
func derived(name, suffix string, max int) string {
	full := name + "-" + suffix
	if len(full) <= max {
		return full
	}
	sum := sha256.Sum256([]byte(full))
	tail := "-" + hex.EncodeToString(sum[:])[:8]
	if kept := max - len(tail) - len("-"+suffix); kept > 0 {
		return strings.TrimRight(name[:kept], "-") + tail + "-" + suffix
	}
	return strings.TrimRight(full[:max-len(tail)], "-") + tail
}

// name returns the stack's own name with the suffix of a component.
func (s *Stack) name(suffix string) string {
	return derived(s.Metadata.Name, suffix, maxLabel)
}

func (s *Stack) namespace() string { return s.Metadata.Namespace }

func (s *Stack) eppName() string { return cmp.Or(s.Spec.Scheduler.Name, s.name(componentEPP)) }

// metricsTokenName is the Secret with the token by which Prometheus reads the EPP's
// metrics, where they ask for one.
func (s *Stack) metricsTokenName() string { return derived(s.eppName(), "metrics-token", maxLabel) }

func (s *Stack) eppNamespace() string { return cmp.Or(s.Spec.Scheduler.Namespace, s.namespace()) }

// poolName bounds the default name to 50 characters: Istio derives the name of a
// shadow Service from it (istio pilot/pkg/config/kube/gateway, InferencePoolServiceName).
func (s *Stack) poolName() string { return cmp.Or(s.Spec.Pool.Name, s.Metadata.Name) }

func (s *Stack) routeName() string { return cmp.Or(s.Spec.Route.Name, s.Metadata.Name) }

func (s *Stack) routeNamespace() string { return cmp.Or(s.Spec.Route.Namespace, s.namespace()) }

func (s *Stack) serviceName() string { return cmp.Or(s.Spec.Server.Service.Name, s.Metadata.Name) }

func (s *Stack) servicePort() int32 {
	if p := s.Spec.Server.Service.Port; p != nil {
		return *p
	}
	return s.Spec.Server.Port
}

func (s server) roleName() string {
	longest := maxLabel
	if s.grouped() {
		longest = schema.MaxGroupName
	}
	return cmp.Or(s.own.Name, derived(s.Metadata.Name, s.role, longest))
}

// serviceHost returns the DNS name by which Istio and Envoy know a Service. Without a
// namespace the short name is all that can be said; it resolves beside the object that
// uses it.
func serviceHost(name, namespace string) string {
	if namespace == "" {
		return name
	}
	return name + "." + namespace + ".svc.cluster.local"
}
