package network

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/inferstack/inferstack/generators/base"
	"github.com/inferstack/inferstack/generators/envoyproxy"
	"github.com/inferstack/inferstack/generators/kvevents"
	"github.com/inferstack/inferstack/generators/pool"
	"github.com/inferstack/inferstack/generators/redis"
	"github.com/inferstack/inferstack/generators/render"
	"github.com/inferstack/inferstack/internal/lists"
)

// labelNamespace is on every namespace since Kubernetes 1.21.
const labelNamespace = corev1.LabelMetadataName

// apiServerPorts are the API server's: its Service's, and the usual one behind that, to
// which some network plugins apply policies.
var apiServerPorts = []int32{443, 6443}

func peers(p ...networkingv1.NetworkPolicyPeer) []networkingv1.NetworkPolicyPeer { return p }

// peer selects pods of a namespace, for a policy that lives in the namespace own.
func peer(own, namespace string, pods metav1.LabelSelector) networkingv1.NetworkPolicyPeer {
	p := networkingv1.NetworkPolicyPeer{PodSelector: &pods}
	if namespace != own {
		p.NamespaceSelector = namespaceSelector(namespace)
	}
	return p
}

// namespaceSelector selects one namespace, or all when it is not known which.
func namespaceSelector(name string) *metav1.LabelSelector {
	if name == "" {
		return &metav1.LabelSelector{}
	}
	return &metav1.LabelSelector{MatchLabels: map[string]string{labelNamespace: name}}
}

// allServers selects every pod of decode and prefill, also those that serve no requests.
func allServers(s *base.Stack) metav1.LabelSelector {
	if s.Adopted() {
		return metav1.LabelSelector{MatchLabels: s.PoolSelector()}
	}
	var components []string
	for _, server := range s.Roles() {
		components = append(components, server.Role, server.Role+base.WorkerSuffix)
	}
	return metav1.LabelSelector{
		MatchLabels:      map[string]string{base.LabelInstance: s.Metadata.Name},
		MatchExpressions: []metav1.LabelSelectorRequirement{{Key: base.LabelComponent, Operator: metav1.LabelSelectorOpIn, Values: components}},
	}
}

// serverPeer is the servers, which others may have made.
func serverPeer(s *base.Stack, own string) networkingv1.NetworkPolicyPeer {
	pods := allServers(s)
	if !s.Spec.Server.Create {
		pods = metav1.LabelSelector{MatchLabels: s.PoolSelector()}
	}
	return peer(own, s.Namespace(), pods)
}

// pickedPeer is every server that the EPP may pick: those of a selector of the user's own
// may be more than this stack makes.
func pickedPeer(s *base.Stack, own string) networkingv1.NetworkPolicyPeer {
	if len(s.Spec.Pool.Selector) == 0 {
		return serverPeer(s, own)
	}
	return peer(own, s.Namespace(), metav1.LabelSelector{MatchLabels: s.PoolSelector()})
}

func eppPeer(s *base.Stack, own string) networkingv1.NetworkPolicyPeer {
	return peer(own, s.EPPNamespace(), metav1.LabelSelector{MatchLabels: s.Selector(base.ComponentEPP)})
}

// proxies are the gateways' pods, and what gatewayNamespaces admits; without a gateway,
// the pods of the same namespace. No peer at all means everyone: the load balancers of
// GKE are outside of the cluster and have no labels.
func proxies(s *base.Stack, own string) (out []networkingv1.NetworkPolicyPeer) {
	for _, f := range s.Fronts() {
		pods := map[string]string{base.LabelGatewayName: f.GatewayName()}
		switch {
		case f.Gateway.Row().Outside:
			return nil
		case f.Standalone():
			pods = f.Selector(envoyproxy.Component(f))
		}
		out = append(out, peer(own, f.GatewayNamespace(), metav1.LabelSelector{MatchLabels: pods}))
	}
	for _, name := range s.Spec.NetworkPolicy.GatewayNamespaces {
		out = append(out, networkingv1.NetworkPolicyPeer{NamespaceSelector: namespaceSelector(name)})
	}
	if len(s.Fronts()) == 0 {
		out = append(out, networkingv1.NetworkPolicyPeer{PodSelector: &metav1.LabelSelector{}})
	}
	return out
}

// clients are those who ask the servers themselves: the proxies and, where there is a
// plain Service, who can reach that.
func clients(s *base.Stack, own string) []networkingv1.NetworkPolicyPeer {
	out, services := proxies(s, own), plainServices(s)
	switch {
	case out == nil, slices.ContainsFunc(services, func(kind string) bool { return kind != "ClusterIP" }):
		return nil
	case len(services) > 0 && len(s.Fronts()) > 0:
		out = append(out, networkingv1.NetworkPolicyPeer{PodSelector: &metav1.LabelSelector{}})
	}
	return out
}

// onlyForProxies reports whether the plain Service is there for the standalone proxies
// alone, as their way past an EPP that is down. They are among the proxies already.
func onlyForProxies(s *base.Stack) bool {
	wanted := s.Spec.Server.Service.Enabled || s.Spec.LoadBalancing != nil || !s.Spec.Scheduler.Enabled
	return !wanted && s.Scored() && !s.AnyFront(func(f base.Front) bool { return f.ToService() && !f.Standalone() })
}

// plainServices lists the types of the Services that clients may use over the servers.
func plainServices(s *base.Stack) (types []string) {
	if s.HasPlainService() && !onlyForProxies(s) {
		types = append(types, s.Spec.Server.Service.Type)
	}
	for _, server := range s.Roles() {
		if service := server.Own.Service; service != nil {
			types = append(types, service.Type)
		}
	}
	return types
}

// entryPorts are those on which clients reach the servers.
func entryPorts(s *base.Stack) []int32 { return pool.Ports(s) }

// ownPorts are those of the model servers themselves, behind a routing sidecar.
func ownPorts(s *base.Stack) []int32 {
	var ports []int32
	for _, server := range s.Servers() {
		for i := range server.PortCount() {
			ports = append(ports, server.ModelServerPort()+i)
		}
	}
	slices.Sort(ports)
	return slices.Compact(ports)
}

// watchedPorts are those of a server that the EPP connects to, for metrics and KV events.
func watchedPorts(s *base.Stack) []int32 {
	ports := append(ownPorts(s), pool.Ports(s)...)
	ports = append(ports, kvevents.Dialled(s)...)
	slices.Sort(ports)
	return slices.Compact(ports)
}

// scrapes admits the namespaces of Prometheus to the ports.
func scrapes(s *base.Stack, ports []int32) []networkingv1.NetworkPolicyIngressRule {
	from := lists.Map(s.Spec.NetworkPolicy.MonitoringNamespaces, func(name string) networkingv1.NetworkPolicyPeer {
		return networkingv1.NetworkPolicyPeer{NamespaceSelector: namespaceSelector(name)}
	})
	if from == nil {
		return nil
	}
	return []networkingv1.NetworkPolicyIngressRule{{From: from, Ports: tcp(ports...)}}
}

// sharedEgress is what EPP and servers call besides each other: Redis, the render service
// and the trace collector, by port alone where something outside of the stack serves it.
func sharedEgress(s *base.Stack, own string) (out []networkingv1.NetworkPolicyEgressRule) {
	to := func(component string, port int32) {
		pods := metav1.LabelSelector{MatchLabels: s.Selector(component)}
		out = append(out, networkingv1.NetworkPolicyEgressRule{To: peers(peer(own, s.Namespace(), pods)), Ports: tcp(port)})
	}
	var outside []int32
	switch {
	case makesRedis(s):
		to(base.ComponentRedis, base.RedisPort)
	case redis.Address(s) != "":
		_, port, _ := strings.Cut(redis.Address(s), ":")
		outside = append(outside, number(port))
	}
	switch {
	case render.Here(s):
		to(base.ComponentRender, base.RenderPort)
	case s.PrecisePrefix() && s.Spec.Scheduler.Tokenizer.URL != "":
		outside = append(outside, urlPort(s.Spec.Scheduler.Tokenizer.URL))
	}
	if m := s.Spec.Monitoring; m != nil && m.Tracing != nil {
		outside = append(outside, urlPort(m.Tracing.Endpoint))
	}
	if len(outside) > 0 {
		out = append(out, networkingv1.NetworkPolicyEgressRule{Ports: tcp(outside...)})
	}
	return out
}

// storeEgress admits the servers to the master of a Mooncake store and its metadata server,
// which something outside of the stack runs.
func storeEgress(s *base.Stack) []networkingv1.NetworkPolicyEgressRule {
	var ports []int32
	for _, server := range s.Servers() {
		o := s.OffloadOf(server.Own)
		if o == nil || o.Mooncake == nil {
			continue
		}
		_, port, _ := strings.Cut(o.Mooncake.MasterAddress, ":")
		ports = append(ports, number(port))
		if o.Mooncake.MetadataServer != "" {
			ports = append(ports, urlPort(o.Mooncake.MetadataServer))
		}
	}
	if len(ports) == 0 {
		return nil
	}
	slices.Sort(ports)
	return []networkingv1.NetworkPolicyEgressRule{{Ports: tcp(slices.Compact(ports)...)}}
}

func makesRedis(s *base.Stack) bool {
	return s.Spec.KVCache.Redis != nil && s.Spec.KVCache.Redis.Address == ""
}

func urlPort(raw string) int32 {
	u, err := url.Parse(raw)
	switch {
	case err == nil && u.Port() != "":
		return number(u.Port())
	case err == nil && u.Scheme == "https":
		return 443
	default:
		return 80
	}
}

func number(s string) int32 {
	n, _ := strconv.ParseInt(s, 10, 32)
	return int32(n)
}

func tcp(ports ...int32) []networkingv1.NetworkPolicyPort {
	return lists.Map(ports, func(p int32) networkingv1.NetworkPolicyPort {
		return networkingv1.NetworkPolicyPort{Protocol: new(corev1.ProtocolTCP), Port: new(intstr.FromInt32(p))}
	})
}

// dns admits name resolution, wherever the cluster does it: node-local caches have
// addresses that no selector can name. OpenShift's name servers listen on 5353 behind a
// Service with port 53, and a policy judges the port of the pod.
func dns() networkingv1.NetworkPolicyEgressRule {
	return networkingv1.NetworkPolicyEgressRule{Ports: []networkingv1.NetworkPolicyPort{
		{Protocol: new(corev1.ProtocolUDP), Port: new(intstr.FromInt32(53))},
		{Protocol: new(corev1.ProtocolTCP), Port: new(intstr.FromInt32(53))},
		{Protocol: new(corev1.ProtocolUDP), Port: new(intstr.FromInt32(5353))},
		{Protocol: new(corev1.ProtocolTCP), Port: new(intstr.FromInt32(5353))},
	}}
}
