package wiring

const rollout = `apiVersion: argoproj.io/v1alpha1
kind: Rollout
metadata:
  name: rolled
  namespace: llm-d
spec:
  template:
    metadata:
      labels:
        app: rolled
        llm-d.ai/inference-serving: "true"
    spec:
      containers: [{name: c, image: vllm/vllm-openai:v0.20.0}]
`

var pickerVariants = []variant{
	{rule: "unknown-field", base: "native", in: "InferencePool llama", old: "  endpointPickerRef:", new: "  extensionRef:"},
	{rule: "unknown-field", base: "native", in: "InferencePool llama", old: "    matchLabels:\n", new: ""},
	{rule: "invalid-field", base: "native", in: "InferencePool llama", old: "  - number: 8000", new: "  - portNumber: 8000"},
	{rule: "invalid-field", base: "native", in: "InferencePool llama", old: "  endpointPickerRef:\n    group: \"\"\n    kind: Service\n    name: llama-epp\n    port:\n      number: 9002\n    failureMode: FailClose", new: ""},
	{rule: "invalid-field", base: "native", in: "Deployment llama-prefill", old: `value: "120"`, new: "value: 120"},
	{rule: "pool-failure-mode", base: "native", in: "InferencePool llama", old: "failureMode: FailClose", new: "failureMode: FailClosed"},
	{rule: "pool-selects-nothing", base: "native", in: "InferencePool llama", old: `llm-d.ai/inference-serving: "true"`, new: `llm-d.ai/inferenceServing: "true"`},
	{rule: "pool-selects-helpers", base: "native", in: "InferencePool llama", old: "      llm-d.ai/inference-serving: \"true\"\n", new: ""},
	{rule: "pool-target-port", base: "native", in: "InferencePool llama", old: "number: 8000", new: "number: 8200"},
	{rule: "pool-group", base: "native", in: "Deployment llama-epp", old: "--pool-group=inference.networking.k8s.io", new: "--pool-group=inference.networking.x-k8s.io"},
	{rule: "pool-namespace", base: "native", in: "Deployment llama-epp", old: "--pool-namespace=llm-d", new: "--pool-namespace=models", add: "apiVersion: inference.networking.k8s.io/v1\nkind: InferencePool\nmetadata: {name: llama, namespace: models}\nspec: {selector: {matchLabels: {app: x}}, targetPorts: [{number: 8000}], endpointPickerRef: {name: elsewhere-epp, port: {number: 9002}}}\n---\napiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: {name: models, namespace: models}\nspec: {rules: [{backendRefs: [{group: inference.networking.k8s.io, kind: InferencePool, name: llama}]}]}"},
	{rule: "epp-boolean-flag", base: "native", in: "Deployment llama-epp", old: "- --tracing=false", new: "- --tracing\n        - \"false\""},
	{rule: "epp-flag", base: "native", in: "Deployment llama-epp", old: "--grpc-port=9002", new: "--grpcPort=9002"},
	{rule: "epp-flag", base: "native", in: "Deployment llama-epp", old: "- --tracing=false", new: "- --model-server-metrics-port=8200"},
	{rule: "epp-image", base: "native", in: "Deployment llama-epp", old: "llm-d-router-endpoint-picker", new: "llm-d-inference-scheduler"},
	{rule: "epp-pool-choice", base: "native", in: "Deployment llama-epp", old: "- --tracing=false", new: "- --endpoint-selector=app=llama"},
	{rule: "pool-not-watched", base: "native", in: "Deployment llama-epp", old: "--pool-name=llama", new: "--pool-name=other"},
	{rule: "workload-unread", base: "native", in: "InferencePool llama", old: "matchLabels:\n      app.kubernetes.io/instance: llama", new: "matchLabels:\n      app: rolled", add: rollout},
	{rule: "epp-predictor-missing", base: "native", in: "ConfigMap llama-epp-config", old: "    - type: queue-scorer", new: "    - type: queue-scorer\n    - type: latency-scorer"},
	{rule: "epp-probe-service", base: "native", in: "Deployment llama-epp", old: "--ha-enable-leader-election=false", new: "--ha-enable-leader-election=true"},
	{rule: "epp-probe-port", base: "native", in: "Deployment llama-epp", old: "--grpc-health-port=9003", new: "--grpc-health-port=9004"},
	{rule: "epp-rolling-update", base: "production", in: "Deployment qwen-epp", old: "type: Recreate", new: "type: RollingUpdate"},
	{rule: "epp-resources", base: "native", in: "Deployment llama-epp", old: "          requests:", new: "          ask:"},
	{rule: "epp-resources-simulated", base: "../../testdata/golden/quickstart", in: "Deployment quickstart-epp", old: "cpu: 100m", new: "cpu: 4000m"},
	{rule: "epp-stateful-replicas", base: "native", in: "Deployment llama-epp", old: "replicas: 1", new: "replicas: 3"},
	{rule: "epp-config-checksum", base: "native", in: "Deployment llama-epp", old: "inferstack.dev/config-checksum", new: "inferstack.dev/note"},
	{rule: "epp-config-invalid", base: "native", in: "ConfigMap llama-epp-config", old: "    - type: queue-scorer", new: "    - type: queue-scorrer"},
	{rule: "epp-config-invalid", base: "native", in: "ConfigMap llama-epp-config", old: "    - type: queue-scorer", new: "    - type: queue-scorer\n    - type: single-profile-handler"},
	{rule: "epp-config-invalid", base: "native", in: "ConfigMap llama-epp-config", old: "lruCapacityPerServer", new: "lruCapacity"},
	{rule: "epp-config-invalid", base: "native", in: "ConfigMap llama-epp-config", old: "    - name: prefill", new: "    - name: prefil"},
	{rule: "epp-config-deprecated", base: "native", in: "ConfigMap llama-epp-config", old: "    - type: queue-scorer", new: "    - type: queue-scorer\n    - type: prefill-header-handler"},
	{rule: "epp-config-unused", base: "native", in: "ConfigMap llama-epp-config", old: "    - type: queue-scorer", new: "    - type: queue-scorer\n    - type: load-aware-scorer"},
	{rule: "epp-alpha-plugin", base: "native", in: "ConfigMap llama-epp-config", old: "    - type: queue-scorer", new: "    - type: queue-scorer\n    - type: session-affinity-scorer"},
	{rule: "epp-filter-labels", base: "native", in: "ConfigMap llama-epp-config", old: "    - type: queue-scorer", new: "    - type: queue-scorer\n    - type: label-selector-filter\n      parameters: {matchLabels: {gpu: h100}}"},
	{rule: "epp-rbac", base: "native", in: "Role llama-epp", old: "- inferencemodelrewrites", new: "- inferencemodels"},
	{rule: "epp-leases", base: "production", in: "Role qwen-epp-leader-election", old: "  - leases", new: "  - lease"},
	{rule: "metrics-auth", base: "native", in: "Deployment llama-epp", old: "        - --metrics-endpoint-auth=false\n", new: ""},
	{rule: "cluster-name-collision", base: "native", add: "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRoleBinding\nmetadata: {name: epp-auth}\nroleRef: {kind: ClusterRole, name: system:auth-delegator}\nsubjects: [{kind: ServiceAccount, name: llama-epp, namespace: llm-d}]"},
	{rule: "name-too-long", base: "native", in: "Gateway llama-gateway", old: "name: llama-gateway", new: "name: llama-gateway-of-the-department-for-very-long-names-in-manifests"},
	{rule: "pool-name-long", base: "native", add: "apiVersion: inference.networking.k8s.io/v1\nkind: InferencePool\nmetadata: {name: a-pool-whose-name-is-longer-than-istio-can-take-it-at-all, namespace: elsewhere}\nspec: {selector: {matchLabels: {app: x}}, targetPorts: [{number: 8000}], endpointPickerRef: {name: elsewhere-epp, port: {number: 9002}}}\n---\napiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: {name: elsewhere, namespace: elsewhere}\nspec: {parentRefs: [{name: llama-gateway, namespace: llm-d}], rules: [{backendRefs: [{group: inference.networking.k8s.io, kind: InferencePool, name: a-pool-whose-name-is-longer-than-istio-can-take-it-at-all}]}]}"},
	{rule: "label-value", base: "native", in: "Deployment llama-decode", old: "llm-d.ai/model: meta-llama-Llama", new: "llm-d.ai/model: meta-llama/Llama"},
	{rule: "api-version-gone", base: "native", add: "apiVersion: inference.networking.x-k8s.io/v1alpha2\nkind: InferenceModel\nmetadata: {name: llama, namespace: llm-d}"},
	{rule: "api-version-deprecated", base: "native", add: "apiVersion: inference.networking.x-k8s.io/v1alpha2\nkind: InferencePool\nmetadata: {name: old, namespace: elsewhere}\nspec: {selector: {app: x}, targetPortNumber: 8000}"},
	{rule: "api-version-deprecated", base: "native", add: "apiVersion: inference.networking.x-k8s.io/v1alpha2\nkind: InferenceObjective\nmetadata: {name: chat, namespace: llm-d}\nspec: {poolRef: {name: llama}}"},
}
