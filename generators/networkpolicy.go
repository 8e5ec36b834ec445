package generators

import (
	networkingv1 "k8s.io/api/networking/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// networkPolicies admit what the stack needs and nothing else, for every pod the stack
// makes. Pods of a Gateway belong to its controller and are left alone. The kubelet's
// probes pass any policy (Kubernetes documentation, Network Policies).
func networkPolicies(s *Stack) []Object {
	if s.Spec.NetworkPolicy == nil {
		return nil
	}
	var objects []Object
	if s.Spec.Server.Create {
		objects = append(objects, serverPolicy(s))
	}
	if s.Spec.Scheduler.Enabled {
		objects = append(objects, eppPolicy(s))
	}
	if s.rendersHere() {
		objects = append(objects, renderPolicy(s))
	}
	if s.makesRedis() {
		objects = append(objects, redisPolicy(s))
	}
	for _, f := range s.fronts() {
		if f.standalone() {
			objects = append(objects, proxyPolicy(f))
		}
	}
	return objects
}

func networkPolicy(meta metav1.ObjectMeta, spec networkingv1.NetworkPolicySpec) *networkingv1.NetworkPolicy {
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
func serverPolicy(s *Stack) *networkingv1.NetworkPolicy {
	ns := s.namespace()
	ingress := []networkingv1.NetworkPolicyIngressRule{
		{From: s.clients(ns), Ports: tcp(s.entryPorts()...)},
		{From: peers(s.serverPeer(ns))},
	}
	if s.Spec.Scheduler.Enabled {
		ingress = append(ingress, networkingv1.NetworkPolicyIngressRule{From: peers(s.eppPeer(ns)), Ports: tcp(s.watchedPorts()...)})
	}
	ingress = append(ingress, s.scrapes(s.ownPorts())...)
	egress := []networkingv1.NetworkPolicyEgressRule{{}}
	if !s.Spec.NetworkPolicy.AllowEgress {
		egress = append([]networkingv1.NetworkPolicyEgressRule{dns(), {To: peers(s.serverPeer(ns))}}, s.sharedEgress(ns)...)
		if s.kvEventsMode() == eventsCentralized {
			egress = append(egress, networkingv1.NetworkPolicyEgressRule{To: peers(s.eppPeer(ns)), Ports: tcp(s.Spec.KVCache.Events.CentralPort)})
		}
	}
	return networkPolicy(s.meta("servers", s.name("servers")), networkingv1.NetworkPolicySpec{
		PodSelector: s.allServers(), Ingress: ingress, Egress: egress,
	})
}

// eppPolicy lets the EPP see the servers and the API server, whose address no selector
// can name.
func eppPolicy(s *Stack) *networkingv1.NetworkPolicy {
	ns := s.eppNamespace()
	ingress := []networkingv1.NetworkPolicyIngressRule{{From: s.proxies(ns), Ports: tcp(eppGRPCPort)}}
	if s.Spec.Scheduler.ServiceType != "ClusterIP" {
		ingress[0].From = nil
	}
	if s.kvEventsMode() == eventsCentralized {
		ingress = append(ingress, networkingv1.NetworkPolicyIngressRule{From: peers(s.serverPeer(ns)), Ports: tcp(s.Spec.KVCache.Events.CentralPort)})
	}
	ingress = append(ingress, s.scrapes([]int32{eppMetricsPort})...)
	egress := []networkingv1.NetworkPolicyEgressRule{
		dns(),
		{Ports: tcp(apiServerPorts...)},
		{To: peers(s.serverPeer(ns)), Ports: tcp(s.watchedPorts()...)},
	}
	return networkPolicy(s.metaIn(ns, componentEPP, s.eppName()), networkingv1.NetworkPolicySpec{
		PodSelector: metav1.LabelSelector{MatchLabels: s.selector(componentEPP)},
		Ingress:     ingress,
		Egress:      append(egress, s.sharedEgress(ns)...),
	})
}

// renderPolicy leaves the way out open for the download of the tokenizer.
func renderPolicy(s *Stack) *networkingv1.NetworkPolicy {
	ns := s.namespace()
	egress := []networkingv1.NetworkPolicyEgressRule{{}}
	if !s.Spec.NetworkPolicy.AllowEgress {
		egress = []networkingv1.NetworkPolicyEgressRule{dns()}
	}
	return networkPolicy(s.meta(componentRender, s.renderName()), networkingv1.NetworkPolicySpec{
		PodSelector: metav1.LabelSelector{MatchLabels: s.selector(componentRender)},
		Ingress:     []networkingv1.NetworkPolicyIngressRule{{From: peers(s.eppPeer(ns), s.serverPeer(ns)), Ports: tcp(renderPort)}},
		Egress:      egress,
	})
}

// redisPolicy has no egress rule: a Redis by itself calls nobody.
func redisPolicy(s *Stack) *networkingv1.NetworkPolicy {
	ns := s.namespace()
	return networkPolicy(s.meta(componentRedis, s.redisName()), networkingv1.NetworkPolicySpec{
		PodSelector: metav1.LabelSelector{MatchLabels: s.selector(componentRedis)},
		Ingress:     []networkingv1.NetworkPolicyIngressRule{{From: peers(s.eppPeer(ns), s.serverPeer(ns)), Ports: tcp(redisPort)}},
	})
}

// proxyPolicy covers a standalone proxy, which anyone may ask.
func proxyPolicy(f front) *networkingv1.NetworkPolicy {
	ns := f.gatewayNamespace()
	egress := []networkingv1.NetworkPolicyEgressRule{dns(), {To: peers(f.serverPeer(ns)), Ports: tcp(f.entryPorts()...)}}
	if f.Spec.Scheduler.Enabled {
		egress = append(egress, networkingv1.NetworkPolicyEgressRule{To: peers(f.eppPeer(ns)), Ports: tcp(eppGRPCPort)})
	}
	return networkPolicy(f.envoyMeta(f.gatewayName()), networkingv1.NetworkPolicySpec{
		PodSelector: metav1.LabelSelector{MatchLabels: f.selector(f.envoyComponent())},
		Ingress:     append([]networkingv1.NetworkPolicyIngressRule{{Ports: tcp(f.gw.Envoy.ListenPort)}}, f.scrapes([]int32{f.gw.Envoy.AdminPort})...),
		Egress:      egress,
	})
}
