package wiring

import (
	"fmt"
	"testing"
)

// TestOtherPicker names something else than llm-d's endpoint picker in a pool.
func TestOtherPicker(t *testing.T) {
	tests := map[string]struct {
		container, port string
		severity        Severity
	}{
		"an ext_proc server":     {"image: 'ghcr.io/vllm-project/semantic-router/extproc:latest'", "{port: 9002, appProtocol: kubernetes.io/h2c}", Info},
		"by the port's name":     {"image: 'example.com/router:1'", "{port: 9002, name: grpc-ext-proc}", Info},
		"what speaks HTTP":       {"image: 'example.com/ui:1'", "{port: 9002, name: http}", Error},
		"a model server":         {"image: 'vllm/vllm-openai:v0.23.0'", "{port: 9002, name: grpc}", Error},
		"a tokenizer":            {"image: x, command: [vllm, launch, render]", "{port: 9002, name: grpc}", Error},
		"a proxy":                {"image: 'envoyproxy/envoy:v1.33.2'", "{port: 9002, name: grpc}", Error},
		"to be filled in":        {"image: '${IMAGE}'", "{port: 9002, name: http}", ""},
		"llm-d's under a mirror": {"image: 'mirror.example/llm-d-router-endpoint-picker:v0.10.0'", "{port: 9002}", ""},
	}
	for name, tt := range tests {
		set := fmt.Sprintf(`apiVersion: inference.networking.k8s.io/v1
kind: InferencePool
metadata: {name: a, namespace: m}
spec: {selector: {matchLabels: {app: v}}, targetPorts: [{number: 8000}], endpointPickerRef: {name: epp, port: {number: 9002}}}
---
apiVersion: v1
kind: Service
metadata: {name: epp, namespace: m}
spec: {selector: {app: epp}, ports: [%s]}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: epp, namespace: m}
spec: {selector: {matchLabels: {app: epp}}, template: {metadata: {labels: {app: epp}}, spec: {containers: [{name: c, %s}]}}}
`, tt.port, tt.container)
		objects, err := Read("set.yaml", []byte(set))
		if err != nil {
			t.Fatal(err)
		}
		var got Severity
		for _, f := range Check(objects, Options{Rules: []string{"epp-service-wrong-pods"}}) {
			got = f.Severity
		}
		if got != tt.severity {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// TestNameServers lets pods ask name servers by one port or another.
func TestNameServers(t *testing.T) {
	tests := map[string]bool{
		"":                              true,
		"[{port: 53, protocol: UDP}]":   true,
		"[{port: 5353, protocol: UDP}]": true,
		"[{port: 1, endPort: 100}]":     true,
		"[{port: 5000, endPort: 6000}]": true,
		"[{port: dns, protocol: UDP}]":  true,
		"[{port: 54}, {port: 443}]":     false,
		"[{port: 60, endPort: 5000}]":   false,
	}
	for ports, resolves := range tests {
		rule := "{}"
		if ports != "" {
			rule = "{ports: " + ports + "}"
		}
		policy := "\n---\napiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: {name: epp, namespace: llm-d}\n" +
			"spec: {podSelector: {}, policyTypes: [Egress], egress: [" + rule + "]}\n"
		if got := said(t, read(t, "precise")+policy, "network-policy-dns"); (got == nil) != resolves {
			t.Errorf("%s: %q", ports, got)
		}
	}
}
