package wiring

import "testing"

// TestPolicy holds the reading of NetworkPolicies to the API's rules: from a in apps to
// port 8000, named http, of b in llm-d.
func TestPolicy(t *testing.T) {
	const set = `apiVersion: v1
kind: Pod
metadata: {name: a, namespace: apps, labels: {app: a}}
spec: {containers: [{name: a}]}
---
apiVersion: v1
kind: Pod
metadata: {name: b, namespace: llm-d, labels: {app: b}}
spec: {containers: [{name: b, ports: [{name: http, containerPort: 8000}]}]}
---
apiVersion: v1
kind: Namespace
metadata: {name: apps, labels: {team: web}}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: p, namespace: llm-d}
spec: `
	for _, test := range []struct {
		spec string
		cut  bool
	}{
		{"{podSelector: {}}", true},
		{"{podSelector: {matchLabels: {app: c}}}", false},
		{"{podSelector: {}, policyTypes: [Egress]}", false},
		{"{podSelector: {}, ingress: [{}]}", false},
		{"{podSelector: {}, ingress: [{from: [{podSelector: {}}]}]}", true},
		{"{podSelector: {}, ingress: [{from: [{namespaceSelector: {}}]}]}", false},
		{"{podSelector: {}, ingress: [{from: [{namespaceSelector: {}, podSelector: {matchLabels: {app: b}}}]}]}", true},
		{"{podSelector: {}, ingress: [{from: [{namespaceSelector: {matchLabels: {team: web}}}]}]}", false},
		{"{podSelector: {}, ingress: [{from: [{namespaceSelector: {matchLabels: {team: data}}}]}]}", true},
		{"{podSelector: {}, ingress: [{from: [{namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: apps}}}]}]}", false},
		{"{podSelector: {}, ingress: [{from: [{namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: '${NS}'}}}]}]}", false},
		{"{podSelector: {}, ingress: [{from: [{ipBlock: {cidr: 10.0.0.0/8}}]}]}", false},
		{"{podSelector: {}, ingress: [{ports: [{port: 8000}]}]}", false},
		{"{podSelector: {}, ingress: [{ports: [{port: http}]}]}", false},
		{"{podSelector: {}, ingress: [{ports: [{port: 7000, endPort: 9000}]}]}", false},
		{"{podSelector: {}, ingress: [{ports: [{port: 8001}, {port: 8000, protocol: UDP}, {port: web}]}]}", true},
		{"{podSelector: {}, ingress: [{ports: [{protocol: TCP}]}]}", false},
	} {
		objects, err := Read("set.yaml", []byte(set+test.spec))
		if err != nil {
			t.Fatal(err)
		}
		g := Graph(objects)
		f := flow{from: endOf(g.Pods[0]), to: endOf(g.Pods[1]), port: 8000}
		if got := g.cut(f, ingress) != nil; got != test.cut {
			t.Errorf("%s cuts: %v", test.spec, got)
		}
	}
}

// TestGatewayAsksDecodeServers closes the prefill servers to the gateway, which only the
// sidecars of decode servers ask; without a filter for the role it asks any.
func TestGatewayAsksDecodeServers(t *testing.T) {
	const policies = `apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: prefill, namespace: llm-d}
spec:
  podSelector: {matchLabels: {llm-d.ai/role: prefill}}
  policyTypes: [Ingress]
  ingress: [{from: [{podSelector: {matchLabels: {app.kubernetes.io/component: decode}}}, {podSelector: {matchLabels: {app.kubernetes.io/component: epp}}}]}]`
	for _, f := range checked(t, variant{base: "native", add: policies}.apply(t), nil) {
		t.Error(f)
	}
	unfiltered := variant{base: "native", add: policies, in: "ConfigMap llama-epp-config", old: "    - type: decode-filter\n", new: ""}
	for _, f := range checked(t, unfiltered.apply(t), nil) {
		if f.Rule == "network-policy-cuts" {
			return
		}
	}
	t.Error("a gateway that may be told any server is cut off from some, and nothing is found")
}
