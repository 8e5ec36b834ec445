package manifests

import (
	"bytes"
	"testing"

	"github.com/inferstack/inferstack/generators"
	"github.com/inferstack/inferstack/generators/manifest"
	"github.com/inferstack/inferstack/internal/long"
	"github.com/inferstack/inferstack/schema"
	"github.com/inferstack/inferstack/schema/document"
	"github.com/inferstack/inferstack/schema/rules"
)

// TestSections finds sections of a stack that no example has.
func TestSections(t *testing.T) {
	for name, spec := range map[string]string{
		"scaling": `gateway: {class: istio}
decode:
  autoscaling:
    type: keda
    min: 1
    max: 8
    prometheusAddress: http://prometheus:9090
    triggers:
    - {type: prometheus, name: queue, metadata: {serverAddress: "http://prometheus:9090", query: "sum(a)", threshold: "1"}}
    - {type: prometheus, name: starting, metadata: {serverAddress: "http://prometheus:9090", query: "sum(b)", threshold: "1"}}
    modifiers: {formula: "max([queue - starting, 0])", target: "2", activationTarget: "1", metricType: Value}
    fallback: {failureThreshold: 4, replicas: 2}
    scaleUp: {stabilizationWindowSeconds: 120}
    pollingSeconds: 15
    scaleDownStabilizationSeconds: 600`,
		"balancing": "loadBalancing: {algorithm: LEAST_REQUEST, connectionPool: {http1MaxPendingRequests: 3}}",
		"events":    "scheduler: {preset: precise-prefix}\nkvCache: {events: {port: 5600, replayPort: 5601}}",
		"connections": `gateway: {class: istio}
scheduler: {connectionPool: {maxConnections: 9, http2MaxRequests: 8, idleTimeout: 15m, maxConnectionDuration: 30m}}`,
		"picker": `scheduler: {port: 9012, flags: {refresh-metrics-interval: 100ms}}`,
	} {
		t.Run(name, func(t *testing.T) {
			long.Case(t, 4)
			t.Parallel()
			want := made(t, []byte("apiVersion: inferstack.dev/v1alpha1\nkind: InferenceStack\nmetadata: {name: a, namespace: m}\nspec:\n  model: {name: a/b}\n  "+string(bytes.ReplaceAll([]byte(spec), []byte("\n"), []byte("\n  ")))+"\n"))
			r := converted(t, want, Options{})
			if len(r.Stacks) != 1 || len(r.Stacks[0].Left) > 0 {
				t.Fatalf("%d stacks, %v", len(r.Stacks), r.Stacks[0].Left)
			}
		})
	}
}

// made are the objects of a stack, as YAML.
func made(t *testing.T, text []byte) []byte {
	t.Helper()
	docs, problems := document.Read("stack.yaml", text)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	spec, problems := rules.Parse(docs[0].Node, docs[0].Source)
	if spec == nil {
		t.Fatal(problems)
	}
	all, conflicts := generators.GenerateAll([]*schema.Stack{spec})
	if len(conflicts) > 0 {
		t.Fatal(conflicts)
	}
	var out bytes.Buffer
	if err := manifest.WriteYAML(&out, all[0].Objects); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}
