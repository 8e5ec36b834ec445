package wiring

import (
	"slices"
	"strings"
	"testing"

	"github.com/inferstack/inferstack/kubeschema"
	"github.com/inferstack/inferstack/release"
)

var admissionVariants = []variant{
	{rule: refusedField, base: "native", in: "Deployment llama-decode", old: "        requests:\n            nvidia.com/gpu: \"4\"", new: "        requests:\n            nvidia.com/gpu: \"2\""},
	{rule: refusedField, base: "native", in: "Deployment llama-decode", old: "sizeLimit: 8Gi", new: "sizeLimit: 8G i"},
	{rule: refusedField, base: "native", in: "Deployment llama-decode", old: "        - name: nixl\n", new: "        - name: http\n"},
	{rule: refusedField, base: "native", in: "Deployment llama-decode", old: "  replicas: 2", new: "  replicas: -2\n  strategy: {rollingUpdate: {maxSurge: 0, maxUnavailable: 0%}}"},
	{rule: refusedField, base: "native", in: "HTTPRoute llama", old: "type: PathPrefix", new: "type: Exact\n        value: v1/chat\n    - path:\n        type: PathPrefix"},
	{rule: refusedField, base: "native", in: "Service llama-epp", old: "name: http-metrics", new: "name: grpc-ext-proc"},
	{rule: refusedField, base: "native", add: "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: Weights, namespace: llm-d}\nspec: {resources: {requests: {storage: 10Gi}}}"},
	{rule: refusedField, base: "production", in: "PodDisruptionBudget qwen-decode", old: "spec:\n", new: "spec:\n  minAvailable: 50\n"},
	{rule: refusedField, base: "native", add: setText("decode", 2, "metadata: {annotations: {leaderworkerset.sigs.k8s.io/exclusive-topology: rack}}") + "  placementPolicy: {type: ExclusiveSlice, topology: rack}\n"},
	{rule: refusedField, base: "native", add: setText("prefill", 0, "metadata: {}")},
	{rule: refusedField, base: "native", in: "HTTPRoute llama", old: "spec:\n", new: "spec:\n  hostnames: ['llm.example.com:8080', 'https://llm.example.com', LLM.example.com, llm.example.com]\n"},
	{rule: refusedField, base: "native", in: "HTTPRoute llama", old: "request: 0s", new: "request: 10 m"},
	{rule: refusedField, base: "native", in: "HTTPRoute llama", old: "request: 0s", new: "request: 10s\n      backendRequest: 1m"},
	{rule: refusedField, base: "native", in: "Gateway llama-gateway", old: "  - name: default\n", new: "  - name: default\n    port: 81\n    protocol: HTTP\n  - name: default\n    hostname: A.example.com\n"},
	{rule: refusedField, base: "native", in: "InferencePool llama", old: "  - number: 8000\n", new: "  - number: 8000\n  - number: 8000\n"},
	{rule: refusedField, base: "native", in: "Gateway llama-gateway", old: "    protocol: HTTP\n", new: "    protocol: HTTP\n    tls: {mode: Terminate}\n"},
	{rule: refusedField, base: "native", in: "Deployment llama-decode", old: "  replicas: 2", new: "  replicas: two\n  minReadySeconds: -1"},
	{rule: refusedField, base: "native", in: "Deployment llama-decode", old: "  replicas: 2", new: "  replica: 2\n  revisionHistoryLimit: five\n  strategy: {type: Rolling}\n  minReadySeconds: -1"},
	{rule: refusedField, base: "native", in: "Deployment llama-decode", old: "      volumes:\n", new: "      affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: a, operator: in, values: [b]}]}]}}}\n      volumes:\n"},
	{rule: refusedField, base: "native", add: lwsText("env: [{name: A, value: a}, {name: A, value: b}]")},
}

// lwsText is a LeaderWorkerSet whose container has more.
func lwsText(more string) string {
	return "apiVersion: leaderworkerset.x-k8s.io/v1\nkind: LeaderWorkerSet\nmetadata: {name: group, namespace: llm-d}\nspec:\n  leaderWorkerTemplate:\n    size: 2\n" +
		"    workerTemplate:\n      spec:\n        containers:\n        - name: modelserver\n          image: registry.example.com/server:v1\n          " + more + "\n"
}

// amountVariants are about memory and what vLLM makes of amounts, roles and ports.
var amountVariants = []variant{
	{rule: "amount-without-unit", base: "native", in: "Deployment llama-decode", old: "memory: 128Mi", new: "memory: 128m"},
	{rule: "amount-without-unit", base: "native", in: "Deployment llama-decode", old: "sizeLimit: 8Gi", new: "sizeLimit: 8"},
	{rule: "amount-without-unit", base: "native", add: "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: weights, namespace: llm-d}\nspec: {accessModes: [ReadWriteMany], resources: {requests: {storage: 100}}}"},
	{rule: "shared-memory-limit", base: "native", in: "Deployment llama-decode", old: "          limits:\n", new: "          limits:\n            memory: 8Gi\n"},
	{rule: "transfer-config", base: "native", in: "Deployment llama-decode", old: "kv_both", new: "both"},
	{rule: "transfer-config", base: "native", in: "Deployment llama-decode", old: `,"kv_role":"kv_both"`, new: ""},
	{rule: "transfer-config", base: "native", in: "Deployment llama-decode", old: `"kv_connector":"NixlConnector"`, new: `"kv_connector":"NixlConector"`},
	{rule: "transfer-config", base: "native", in: "Deployment llama-decode", old: `{"kv_connector":"NixlConnector","kv_role":"kv_both"}`, new: `{"kv_connector":"MultiConnector","kv_role":"kv_both","kv_connector_extra_config":{"connectors":[{"kv_connector":"NixlConnector","kv_role":"kv_both"},{"kv_connector":"OffloadingConnector","kv_role":"kv_both","kv_connector_extra_config":{"cpu_bytes_to_use":"64Gi"}},{"kv_connector":"Acme","kv_role":"kv_both"}]}}`},
	{rule: "transfer-config", base: "encode", in: "Deployment qwen-vl-encode", old: `"ec_role":"ec_producer"`, new: `"ec_role":"producer"`},
	{rule: "transfer-config", base: "encode", in: "Deployment qwen-vl-encode", old: `"ec_cpu_bytes":4294967296`, new: `"ec_cpu_bytes":4`},
	{rule: "side-channel-port", base: "native", in: "Deployment llama-decode", old: `value: "5600"`, new: `value: "56000000"`},
	{rule: "autoscaler-without-scale", base: "native", add: "apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: set, namespace: llm-d}\nspec:\n  maxReplicas: 3\n  scaleTargetRef: {apiVersion: disaggregatedset.x-k8s.io/v1, kind: DisaggregatedSet, name: set}\n---\n" + setText("decode", 2, "metadata: {}")},
	{rule: "autoscaler-without-scale", base: "native", add: "apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: decode, namespace: llm-d}\nspec:\n  maxReplicas: 3\n  scaleTargetRef: {kind: Deployment, name: llama-decode}"},
	{rule: "budgets-overlap", base: "production", add: "apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: all, namespace: llm-d}\nspec:\n  maxUnavailable: 1\n  selector: {matchLabels: {app.kubernetes.io/instance: qwen}}"},
	{rule: "kind-unknown", base: "native", in: "Deployment llama-epp", old: "kind: Deployment", new: "kind: Deploymnet"},
	{rule: "kind-unknown", base: "native", in: "HTTPRoute llama", old: "kind: HTTPRoute", new: "kind: HttpRoute"},
	{rule: "kind-unknown", base: "native", in: "Deployment llama-epp", old: "apiVersion: apps/v1", new: "apiVersion: app/v1"},
	{rule: "kind-unknown", base: "native", in: "Service llama-epp", old: "apiVersion: v1", new: "apiVersion: core/v1"},
	{rule: "kind-unknown", base: "native", in: "InferencePool llama", old: "networking.k8s.io/v1", new: "networking.k8s.io/v2"},
	{rule: "backend-group", base: "native", in: "HTTPRoute llama", old: "    - group: inference.networking.k8s.io\n      kind: InferencePool", new: "    - kind: InferencePool"},
	{rule: "field-unserved", base: "native", platform: map[string]string{"leaderworkerset": "0.9"}, add: setText("decode", 2, "metadata: {}") + "  slices: 2\n"},
}

// setText is a DisaggregatedSet of a prefill role and one more.
func setText(role string, replicas int, meta string) string {
	one := func(name, replicas, meta string) string {
		return strings.NewReplacer("NAME", name, "REPLICAS", replicas, "META", meta).Replace(`  - name: NAME
    META
    spec:
      replicas: REPLICAS
      leaderWorkerTemplate:
        size: 1
        workerTemplate:
          metadata: {labels: {app: NAME}}
          spec: {containers: [{name: modelserver, image: registry.example.com/server:v1}]}
`)
	}
	return "apiVersion: disaggregatedset.x-k8s.io/v1\nkind: DisaggregatedSet\nmetadata: {name: set, namespace: llm-d}\nspec:\n  roles:\n" +
		one("prefill", "1", "metadata: {}") + one(role, string(rune('0'+replicas)), meta)
}

// TestRefusedFieldsOfPatches leaves alone what is not whole, or is filled in later.
func TestRefusedFieldsOfPatches(t *testing.T) {
	deployment := func(spec, container string) string {
		return "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d, namespace: ns}\nspec:\n" + spec +
			"  template:\n    metadata: {labels: {a: b}}\n    spec:\n      containers:\n      - name: c\n" + container
	}
	const selector, port = "  selector: {matchLabels: {a: b}}\n", "        image: i:1\n        ports: [{containerPort: 70000}]\n"
	for name, c := range map[string]struct {
		file, text string
		want       int
	}{
		"whole":             {"d.yaml", deployment(selector, port), 1},
		"no selector":       {"d.yaml", deployment("", port), 0},
		"a patch by name":   {"patch-d.yaml", deployment(selector, port), 0},
		"a later value":     {"d.yaml", deployment(selector, "        image: i:1\n        ports:\n        - containerPort: ${PORT}\n"), 0},
		"a part of it":      {"d.yaml", deployment(selector, "        image: i:1\n        env: [{name: \"A${B}=\", value: x}]\n"), 0},
		"an unknown field":  {"d.yaml", deployment(selector, port+"        newer: {}\n"), 0},
		"a null":            {"d.yaml", deployment(selector, "        image: i:1\n        ports: null\n"), 0},
		"an old API":        {"d.yaml", strings.Replace(deployment(selector, port), "apps/v1", "apps/v1beta1", 1), 0},
		"silenced":          {"d.yaml", strings.Replace(deployment(selector, port), "namespace: ns}", "namespace: ns, annotations: {inferstack.dev/ignore: \"refused-field=filled in by a webhook\"}}", 1), 0},
		"another's finding": {"d.yaml", deployment(selector, "        image: i:1\n        volumeMounts: [{name: v, mountPath: /v}]\n"), 0},
	} {
		t.Run(name, func(t *testing.T) {
			objects, err := Read(c.file, []byte(c.text))
			if err != nil {
				t.Fatal(err)
			}
			var found []string
			for _, f := range Check(objects, Options{}) {
				if f.Rule == refusedField {
					found = append(found, f.String())
				}
			}
			if len(found) != c.want {
				t.Errorf("%d findings, not %d: %v\n%s", len(found), c.want, found, c.text)
			}
		})
	}
}

// TestKindsOfOthers leaves alone kinds that are known elsewhere, or nowhere.
func TestKindsOfOthers(t *testing.T) {
	for _, kind := range []string{
		"gateway.networking.k8s.io/v1alpha3 TLSRoute", "keda.sh/v1alpha1 ScaledJob", "monitoring.coreos.com/v1 Prometheus", "serving.knative.dev/v1 Service",
		"argoproj.io/v1alpha1 Rollout", "example.com/v1 Deploymnet", "apps/v1 ReplicaSet", "v1 Namespace", "inference.networking.k8s.io/v1 ${KIND}",
	} {
		apiVersion, name, _ := strings.Cut(kind, " ")
		objects, err := Read("o.yaml", []byte("apiVersion: "+apiVersion+"\nkind: "+name+"\nmetadata: {name: o, namespace: ns}\nspec: {}\n"))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range Check(objects, Options{Rules: []string{"kind-unknown"}}) {
			if f.Severity == Error {
				t.Errorf("%s: %s", kind, f.String())
			}
		}
	}
}

// TestFurtherKinds lists no kind that the schemas or the release catalogue have.
func TestFurtherKinds(t *testing.T) {
	known := kubeschema.Kinds()
	for version, kinds := range furtherKinds {
		for kind := range strings.FieldsSeq(kinds) {
			_, served := release.ServedBy(version, kind)
			if served || slices.Contains(known, version+" "+kind) {
				t.Errorf("%s %s is known already", version, kind)
			}
		}
	}
}
