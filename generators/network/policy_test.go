package network

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	networkingv1 "k8s.io/api/networking/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/inferstack/inferstack/generators/base"
	"github.com/inferstack/inferstack/generators/internal/stacktest"
)

// Who may reach whom, one line a rule: <who: ports.
func TestNetworkPolicies(t *testing.T) {
	for _, tc := range []struct{ name, spec, policy, want string }{
		{"EPP behind a Gateway elsewhere", `
gateway: {class: istio, namespace: edge}
networkPolicy: {gatewayNamespaces: [mesh], monitoringNamespaces: [prom]}`, "demo-epp", `
<edge/gateway-name=demo-gateway mesh/*: 9002
<prom/*: 9090
>any: 53 53 5353 5353
>any: 443 6443
>instance=demo,component in decode decode-worker: 8000`},
		{"prefill and decode reach each other on every port", `
prefill: {}
gateway: {class: istio}
networkPolicy: {}`, "demo-servers", `
<gateway-name=demo-gateway: 8000
<instance=demo,component in decode decode-worker prefill prefill-worker: all
<component=epp,instance=demo: 8000 8200
>any: all`},
		{"no way out", `
model: {name: m, source: "pvc://w/m"}
gateway: {class: envoy}
monitoring: {tracing: {endpoint: "http://otel.obs:4317"}}
networkPolicy: {allowEgress: false}
kvCache: {redis: {}}`, "demo-servers", `
<component=proxy,instance=demo: 8000
<instance=demo,component in decode decode-worker: all
<component=epp,instance=demo: 8000
>any: 53 53 5353 5353
>instance=demo,component in decode decode-worker: all
>component=redis,instance=demo: 6379
>any: 4317`},
		{"KV events go to the EPP", `
model: {name: m, source: "pvc://w/m"}
scheduler: {preset: precise-prefix}
kvCache: {events: {mode: centralized}}
networkPolicy: {}`, "demo-epp", `
<*: 9002
<instance=demo,component in decode decode-worker: 5557
>any: 53 53 5353 5353
>any: 443 6443
>instance=demo,component in decode decode-worker: 8000
>component=render,instance=demo: 8000`},
		{"GKE's load balancers have no labels", `
gateway: {class: gke}
networkPolicy: {}`, "demo-servers", `
<any: 8000
<instance=demo,component in decode decode-worker: all
<component=epp,instance=demo: 8000
>any: all`},
		{"GKE asks for the EPP's health", `
gateway: {class: gke}
networkPolicy: {}`, "demo-epp", `
<any: 9002 9003
>any: 53 53 5353 5353
>any: 443 6443
>instance=demo,component in decode decode-worker: 8000`},
		{"a pool with further servers", `
pool: {selector: {pool: shared}}
gateway: {class: envoy}
networkPolicy: {}`, "demo-epp", `
<component=proxy,instance=demo: 9002
>any: 53 53 5353 5353
>any: 443 6443
>pool=shared: 8000`},
		{"a Service for everyone", `
server: {service: {enabled: true, type: LoadBalancer}}
networkPolicy: {}`, "demo-servers", `
<any: 8000
<instance=demo,component in decode decode-worker: all
<component=epp,instance=demo: 8000
>any: all`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := stacktest.StackOf(t, tc.spec)
			policy, ok := policyOf(s, tc.policy)
			if !ok {
				t.Fatal("no such policy")
			}
			if d := cmp.Diff(strings.TrimSpace(tc.want), inWords(policy)); d != "" {
				t.Error(d)
			}
		})
	}
}

func policyOf(s *base.Stack, name string) (*networkingv1.NetworkPolicy, bool) {
	for _, p := range stacktest.OfType[*networkingv1.NetworkPolicy](Policies(s)) {
		if p.Name == name {
			return p, true
		}
	}
	return nil, false
}

func inWords(p *networkingv1.NetworkPolicy) string {
	var lines []string
	for _, r := range p.Spec.Ingress {
		lines = append(lines, "<"+peersInWords(r.From)+": "+portsInWords(r.Ports))
	}
	for _, r := range p.Spec.Egress {
		lines = append(lines, ">"+peersInWords(r.To)+": "+portsInWords(r.Ports))
	}
	return strings.Join(lines, "\n")
}

func peersInWords(peers []networkingv1.NetworkPolicyPeer) string {
	if len(peers) == 0 {
		return "any"
	}
	var words []string
	for _, p := range peers {
		word := ""
		if p.NamespaceSelector != nil {
			word = p.NamespaceSelector.MatchLabels[labelNamespace] + "/"
		}
		words = append(words, word+selectorInWords(p.PodSelector))
	}
	return strings.Join(words, " ")
}

func selectorInWords(s *metav1.LabelSelector) string {
	if s == nil || len(s.MatchLabels) == 0 {
		return "*"
	}
	var words []string
	for k, v := range s.MatchLabels {
		words = append(words, k[strings.LastIndex(k, "/")+1:]+"="+v)
	}
	slices.Sort(words)
	for _, e := range s.MatchExpressions {
		words = append(words, e.Key[strings.LastIndex(e.Key, "/")+1:]+" in "+strings.Join(e.Values, " "))
	}
	return strings.Join(words, ",")
}

func portsInWords(ports []networkingv1.NetworkPolicyPort) string {
	if len(ports) == 0 {
		return "all"
	}
	var words []string
	for _, p := range ports {
		words = append(words, fmt.Sprint(p.Port.IntVal))
	}
	return strings.Join(words, " ")
}
