package base

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"

	"github.com/inferstack/inferstack/schema"
)

func (s *Stack) EPPHost() string { return ServiceHost(s.EPPName(), s.EPPNamespace()) }

// Components, as value of the component label and as suffix of names.
const (
	ComponentEPP     = "epp"
	ComponentDecode  = schema.RoleDecode
	ComponentPrefill = schema.RolePrefill
	ComponentEncode  = schema.RoleEncode
	// ComponentServers is the servers of all roles, where they are one workload.
	ComponentServers = "servers"
	ComponentGateway = "gateway"
	// ComponentProxy is not ComponentGateway: Istio puts the labels of a Gateway on its
	// pods, and the standalone proxy's Service must not select those.
	ComponentProxy  = "proxy"
	ComponentRender = "render"
	ComponentRedis  = "redis"
	// ComponentSmokeTest is the Job that asks for a chat completion.
	ComponentSmokeTest = "smoke-test"
)

// Ports that two objects must agree on.
const (
	EPPGRPCPort    = 9002
	EPPHealthPort  = 9003
	EPPMetricsPort = 9090
	RenderPort     = 8000
	RedisPort      = 6379
)

// Names of ports that two objects must agree on.
const (
	serverPortName  = "http"
	SidecarPortName = "sidecar"
	MetricsPortName = "http-metrics"
	EPPGRPCPortName = "grpc-ext-proc"
)

// ServerPortNameOf names the port of a data-parallel rank of a pod: the model server's own
// port, not the routing sidecar's in front of it.
func ServerPortNameOf(rank int) string {
	if rank == 0 {
		return serverPortName
	}
	return serverPortName + "-" + strconv.Itoa(rank)
}

// MaxLabel is the length of a DNS label, which bounds most names.
const MaxLabel = 63

// Derived joins the stack's name and a suffix to a name of at most max characters. A
// longer one is cut, the name before the suffix, and gets a hash of the whole, so that two
// long names stay two.
func Derived(name, suffix string, max int) string {
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

// Name returns the stack's own name with the suffix of a component.
func (s *Stack) Name(suffix string) string {
	return Derived(s.Metadata.Name, suffix, MaxLabel)
}

func (s *Stack) Namespace() string { return s.Metadata.Namespace }

func (s *Stack) EPPName() string { return cmp.Or(s.Spec.Scheduler.Name, s.Name(ComponentEPP)) }

// MetricsTokenName is the Secret with the token by which Prometheus reads the EPP's
// metrics, where they ask for one.
func (s *Stack) MetricsTokenName() string { return Derived(s.EPPName(), "metrics-token", MaxLabel) }

func (s *Stack) EPPNamespace() string { return cmp.Or(s.Spec.Scheduler.Namespace, s.Namespace()) }

// PoolName bounds the default name to 50 characters: Istio derives the name of a
// shadow Service from it (istio pilot/pkg/config/kube/gateway, InferencePoolServiceName).
func (s *Stack) PoolName() string { return cmp.Or(s.Spec.Pool.Name, s.Metadata.Name) }

func (s *Stack) routeName() string { return cmp.Or(s.Spec.Route.Name, s.Metadata.Name) }

func (s *Stack) RouteNamespace() string { return cmp.Or(s.Spec.Route.Namespace, s.Namespace()) }

func (s *Stack) ServiceName() string { return cmp.Or(s.Spec.Server.Service.Name, s.Metadata.Name) }

func (s Server) WorkloadName() string {
	longest := MaxLabel
	if s.Grouped() {
		longest = schema.MaxGroupName
	}
	if s.Variant != nil && s.Own.Name != "" {
		return Derived(s.Own.Name, s.Variant.Name, longest)
	}
	return cmp.Or(s.Own.Name, Derived(s.Metadata.Name, s.Part(), longest))
}

// DisaggregatedSetName is the name of the workload of all roles.
func (s *Stack) DisaggregatedSetName() string {
	return cmp.Or(s.Spec.DisaggregatedSet.Name, s.Metadata.Name)
}

// ServiceHost returns the DNS name by which Istio and Envoy know a Service. Without a
// namespace the short name is all that can be said; it resolves beside the object that
// uses it.
func ServiceHost(name, namespace string) string {
	if namespace == "" {
		return name
	}
	return name + "." + namespace + ".svc.cluster.local"
}

// WorkerSuffix tells the pods of a group that serve no requests from its leader.
const WorkerSuffix = "-worker"
