// Package network makes the NetworkPolicies of a stack.
package network

import (
	networkingv1 "k8s.io/api/networking/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/inferstack/inferstack/generators/base"
	"github.com/inferstack/inferstack/generators/envoyproxy"
	"github.com/inferstack/inferstack/generators/kvevents"
	"github.com/inferstack/inferstack/generators/redis"
	"github.com/inferstack/inferstack/generators/render"
)

// Policies admit what the stack needs and nothing else, for every pod the stack
// makes. Pods of a Gateway belong to its controller and are left alone. The kubelet's
// probes pass any policy (Kubernetes documentation, Network Policies).
func Policies(s *base.Stack) (objects []base.Object) {
	if s.Spec.NetworkPolicy == nil {
		return nil
	}
	if s.Spec.Server.Create {
		objects = append(objects, serverPolicy(s))
	}
	if s.Spec.Scheduler.Enabled {
		objects = append(objects, eppPolicy(s))
	}
	if render.Here(s) {
		objects = append(objects, renderPolicy(s))
	}
	if makesRedis(s) {
		objects = append(objects, redisPolicy(s))
	}
	for _, f := range s.Fronts() {
		if f.Standalone() {
			objects = append(objects, proxyPolicy(f))
		}
	}
	if s.Spec.Delivery.SmokeTest != nil {
		objects = append(objects, smokeTestPolicy(s))
	}
	return objects
}

// smokeTestPolicy admits nobody to the smoke test, which asks whom its URL names.
func smokeTestPolicy(s *base.Stack) *networkingv1.NetworkPolicy {
	return policy(s.Meta(base.ComponentSmokeTest, s.Name(base.ComponentSmokeTest)), networkingv1.NetworkPolicySpec{
		PodSelector: metav1.LabelSelector{MatchLabels: s.Selector(base.ComponentSmokeTest)},
		Egress:      []networkingv1.NetworkPolicyEgressRule{{}},
	})
}

// tested admits the smoke test to ports.
func tested(s *base.Stack, own string, ports []int32) []networkingv1.NetworkPolicyIngressRule {
	if s.Spec.Delivery.SmokeTest == nil {
		return nil
	}
	pods := metav1.LabelSelector{MatchLabels: s.Selector(base.ComponentSmokeTest)}
	return []networkingv1.NetworkPolicyIngressRule{{From: peers(peer(own, s.Namespace(), pods)), Ports: tcp(ports...)}}
}

func policy(meta metav1.ObjectMeta, spec networkingv1.NetworkPolicySpec) *networkingv1.NetworkPolicy {
	spec.PolicyTypes = []networkingv1.PolicyType{networkingv1.PolicyTypeIngress, networkingv1.PolicyTypeEgress}
	return &networkingv1.NetworkPolicy{
		TypeMeta:   metav1.TypeMeta{APIVersion: networkingv1.SchemeGroupVersion.String(), Kind: "NetworkPolicy"},
		ObjectMeta: meta,
		Spec:       spec,
	}
}

// serverPolicy covers decode and prefill pods, and the pods that only lend their
// accelerators. Between them every port is open: UCX, which carries NIXL's KV cache, and
// NCCL choose ports at random.
func serverPolicy(s *base.Stack) *networkingv1.NetworkPolicy {
	ns := s.Namespace()
	ingress := []networkingv1.NetworkPolicyIngressRule{
		{From: clients(s, ns), Ports: tcp(entryPorts(s)...)},
		{From: peers(serverPeer(s, ns))},
	}
	if s.Spec.Scheduler.Enabled {
		ingress = append(ingress, networkingv1.NetworkPolicyIngressRule{From: peers(eppPeer(s, ns)), Ports: tcp(watchedPorts(s)...)})
	}
	ingress = append(ingress, scrapes(s, ownPorts(s))...)
	ingress = append(ingress, tested(s, ns, entryPorts(s))...)
	egress := []networkingv1.NetworkPolicyEgressRule{{}}
	if !s.Spec.NetworkPolicy.AllowEgress {
		egress = append([]networkingv1.NetworkPolicyEgressRule{dns(), {To: peers(serverPeer(s, ns))}}, sharedEgress(s, ns)...)
		egress = append(egress, storeEgress(s)...)
		if kvevents.Mode(s) == kvevents.Centralized {
			egress = append(egress, networkingv1.NetworkPolicyEgressRule{To: peers(eppPeer(s, ns)), Ports: tcp(s.Spec.KVCache.Events.CentralPort)})
		}
	}
	return policy(s.Meta("servers", s.Name("servers")), networkingv1.NetworkPolicySpec{
		PodSelector: allServers(s), Ingress: ingress, Egress: egress,
	})
}

// eppPolicy lets the EPP see the servers and the API server, whose address no selector
// can name.
func eppPolicy(s *base.Stack) *networkingv1.NetworkPolicy {
	ns := s.EPPNamespace()
	ingress := []networkingv1.NetworkPolicyIngressRule{{From: proxies(s, ns), Ports: tcp(pickerPorts(s)...)}}
	if s.Spec.Scheduler.ServiceType != "ClusterIP" {
		ingress[0].From = nil
	}
	if kvevents.Mode(s) == kvevents.Centralized {
		ingress = append(ingress, networkingv1.NetworkPolicyIngressRule{From: peers(serverPeer(s, ns)), Ports: tcp(s.Spec.KVCache.Events.CentralPort)})
	}
	ingress = append(ingress, scrapes(s, []int32{base.EPPMetricsPort})...)
	ingress = append(ingress, tested(s, ns, []int32{base.EPPMetricsPort})...)
	egress := []networkingv1.NetworkPolicyEgressRule{
		dns(),
		{Ports: tcp(apiServerPorts...)},
		{To: peers(pickedPeer(s, ns)), Ports: tcp(watchedPorts(s)...)},
	}
	return policy(s.MetaIn(ns, base.ComponentEPP, s.EPPName()), networkingv1.NetworkPolicySpec{
		PodSelector: metav1.LabelSelector{MatchLabels: s.Selector(base.ComponentEPP)},
		Ingress:     ingress,
		Egress:      append(egress, sharedEgress(s, ns)...),
	})
}

// pickerPorts are the EPP's for the gateways. GKE's load balancer asks for the EPP's
// health itself (llm-d-router config/charts/llm-d-router-gateway/templates/gke.yaml).
func pickerPorts(s *base.Stack) []int32 {
	if s.AnyFront(func(f base.Front) bool { return f.Gateway.Row().Outside }) {
		return []int32{base.EPPGRPCPort, base.EPPHealthPort}
	}
	return []int32{base.EPPGRPCPort}
}

// renderPolicy leaves the way out open for the download of the tokenizer.
func renderPolicy(s *base.Stack) *networkingv1.NetworkPolicy {
	ns := s.Namespace()
	egress := []networkingv1.NetworkPolicyEgressRule{{}}
	if !s.Spec.NetworkPolicy.AllowEgress {
		egress = []networkingv1.NetworkPolicyEgressRule{dns()}
	}
	return policy(s.Meta(base.ComponentRender, render.Name(s)), networkingv1.NetworkPolicySpec{
		PodSelector: metav1.LabelSelector{MatchLabels: s.Selector(base.ComponentRender)},
		Ingress:     []networkingv1.NetworkPolicyIngressRule{{From: peers(eppPeer(s, ns), serverPeer(s, ns)), Ports: tcp(base.RenderPort)}},
		Egress:      egress,
	})
}

// redisPolicy has no egress rule: a Redis by itself calls nobody.
func redisPolicy(s *base.Stack) *networkingv1.NetworkPolicy {
	ns := s.Namespace()
	return policy(s.Meta(base.ComponentRedis, redis.Name(s)), networkingv1.NetworkPolicySpec{
		PodSelector: metav1.LabelSelector{MatchLabels: s.Selector(base.ComponentRedis)},
		Ingress:     []networkingv1.NetworkPolicyIngressRule{{From: peers(eppPeer(s, ns), serverPeer(s, ns)), Ports: tcp(base.RedisPort)}},
	})
}

// proxyPolicy covers a standalone proxy, which anyone may ask.
func proxyPolicy(f base.Front) *networkingv1.NetworkPolicy {
	ns := f.GatewayNamespace()
	egress := []networkingv1.NetworkPolicyEgressRule{dns(), {To: peers(pickedPeer(f.Stack, ns)), Ports: tcp(entryPorts(f.Stack)...)}}
	if f.Spec.Scheduler.Enabled {
		egress = append(egress, networkingv1.NetworkPolicyEgressRule{To: peers(eppPeer(f.Stack, ns)), Ports: tcp(base.EPPGRPCPort)})
	}
	return policy(envoyproxy.Meta(f, f.GatewayName()), networkingv1.NetworkPolicySpec{
		PodSelector: metav1.LabelSelector{MatchLabels: f.Selector(envoyproxy.Component(f))},
		Ingress:     append([]networkingv1.NetworkPolicyIngressRule{{Ports: tcp(f.Gateway.Envoy.ListenPort)}}, scrapes(f.Stack, []int32{f.Gateway.Envoy.AdminPort})...),
		Egress:      egress,
	})
}
