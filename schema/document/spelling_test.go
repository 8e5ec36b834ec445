package document_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"go.yaml.in/yaml/v3"
	sigsyaml "sigs.k8s.io/yaml"

	"github.com/inferstack/inferstack/schema"
	"github.com/inferstack/inferstack/schema/document"
	"github.com/inferstack/inferstack/schema/rules"
)

func sameStack(t *testing.T, want, got *schema.Stack) {
	t.Helper()
	if d := cmp.Diff(want, got, cmpopts.IgnoreUnexported(schema.Stack{})); d != "" {
		t.Error(d)
	}
}

const spelled = `apiVersion: inferstack.dev/v1alpha1
kind: InferenceStack
metadata: {name: demo}
spec:
  model:
    name: Qwen/Qwen3-32B
    storage: {type: pvc, size: 1Gi}
  server:
    port: 8000
    sharedMemory: 1500M
    resources: {limits: {cpu: 2, memory: 0.5Gi}}
    vllm: {gpuMemoryUtilization: 1, maxModelLen: 1000}
  decode:
    disruptionBudget: {maxUnavailable: 1}
    containers:
      - name: side
        image: side:1
        ports: [{containerPort: 16}]
        readinessProbe: {httpGet: {path: /, port: 8080}}
  kvTransfer: {config: {kv_connector: NixlConnector, kv_role: kv_both, a: 10, b: 1.5, c: [true, null, "x"]}}
  scheduler:
    flags: {grpc-max-recv-msg-size: 1000, enable-pprof: true, tls-min-version: text}
    scorers: [{type: queue-scorer, weight: 2}, {type: kv-cache-utilization-scorer, weight: 0.1}]
`

// Every one of these says the same as spelled.
var spellings = map[string]string{
	"numbers": `apiVersion: inferstack.dev/v1alpha1
kind: InferenceStack
metadata: {name: demo}
spec:
  model:
    name: Qwen/Qwen3-32B
    storage: {type: pvc, size: 1024Mi}
  server:
    port: 8.0e3
    sharedMemory: 1500000000
    resources: {limits: {cpu: "2", memory: 512Mi}}
    vllm: {gpuMemoryUtilization: 1.0, maxModelLen: 1_000}
  decode:
    disruptionBudget: {maxUnavailable: "1"}
    containers:
      - name: side
        image: side:1
        ports: [{containerPort: 0x10}]
        readinessProbe: {httpGet: {path: /, port: "8080"}}
  kvTransfer: {config: {kv_connector: NixlConnector, kv_role: kv_both, a: 10.0, b: 15e-1, c: [True, ~, x]}}
  scheduler:
    flags: {grpc-max-recv-msg-size: 1e3, enable-pprof: true, tls-min-version: text}
    scorers: [{type: queue-scorer, weight: 2.0}, {type: kv-cache-utilization-scorer, weight: 1.0e-1}]
`,
	"layout": `{"kind": "InferenceStack", "apiVersion": "inferstack.dev/v1alpha1", "metadata": {"name": "demo"}, "spec": {
  "scheduler": {"flags": {"tls-min-version": "text", "enable-pprof": true, "grpc-max-recv-msg-size": 1000}, "scorers": [{"weight": 2, "type": "queue-scorer"}, {"type": "kv-cache-utilization-scorer", "weight": 0.10}]},
  "kvTransfer": {"config": {"kv_connector": "NixlConnector", "kv_role": "kv_both", "c": [true, null, "x"], "b": 1.50, "a": 0xA}},
  "decode": {
    "containers": [{"image": "side:1", "name": "side", "ports": [{"containerPort": 16.0}], "readinessProbe": {"httpGet": {"port": 8080.0, "path": "/"}}}],
    "disruptionBudget": {"maxUnavailable": 1.0}},
  "server": {"vllm": {"maxModelLen": 1000, "gpuMemoryUtilization": 1}, "sharedMemory": "1.5G", "port": 8000,
    "resources": {"limits": {"memory": "0.5Gi", "cpu": 2.0}}},
  "model": {"storage": {"size": 1073741824, "type": "pvc"}, "name": "Qwen/Qwen3-32B"}}}
`,
	"anchors, comments and merge keys": `# a stack
apiVersion: inferstack.dev/v1alpha1
kind: InferenceStack # what it is
metadata: {name: demo}
spec:
  model: &model
    name: &name !!str Qwen/Qwen3-32B
    storage: {<<: {type: emptyDir, size: 1Gi}, type: pvc}
  server:
    port: &port 8000 # the port
    sharedMemory: 1500M
    resources: {limits: {cpu: 2, memory: 0.5Gi}}
    vllm: {gpuMemoryUtilization: 1, maxModelLen: 1000}
  decode:
    disruptionBudget: {maxUnavailable: 1}
    containers:
      - name: side
        image: side:1
        ports: [{containerPort: 16}]
        readinessProbe: {httpGet: {path: /, port: 8080}}
  kvTransfer: {config: {kv_connector: NixlConnector, kv_role: kv_both, <<: [{a: 10}, {a: 11, b: 1.5}], c: [true, null, "x"]}}
  scheduler:
    flags: {grpc-max-recv-msg-size: 1000, enable-pprof: true, tls-min-version: text}
    scorers: [{type: queue-scorer, weight: 2}, {type: kv-cache-utilization-scorer, weight: 0.1}]
`,
}

func parseText(t *testing.T, text string) *schema.Stack {
	t.Helper()
	docs, ps := document.Read("f", []byte(text))
	if len(docs) != 1 || ps != nil {
		t.Fatal(len(docs), ps)
	}
	s, ps := rules.Parse(docs[0].Node, docs[0].Source)
	if s == nil {
		t.Fatal(ps)
	}
	return s
}

// TestSpelling proves that a stack does not depend on how its file spells it,
// also not after kustomize's way from YAML through JSON to YAML.
func TestSpelling(t *testing.T) {
	want := parseText(t, spelled)
	for name, text := range spellings {
		t.Run(name, func(t *testing.T) {
			sameStack(t, want, parseText(t, text))
			var tree any
			if err := yaml.Unmarshal([]byte(text), &tree); err != nil {
				t.Fatal(err)
			}
			round, err := sigsyaml.Marshal(tree)
			if err != nil {
				t.Fatal(err)
			}
			sameStack(t, want, parseText(t, string(round)))
		})
	}
}
