package wiring

import "strings"

const secondScaler = `apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: qwen, namespace: llm-d}
spec: {scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: qwen-decode}}`

// scalerOfShares follows CPU that one container of the pods requests and another does not.
const scalerOfShares = `---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: llama-decode, namespace: llm-d}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: llama-decode}
  maxReplicas: 4
  metrics:
  - {type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 60}}}
  - {type: ContainerResource, containerResource: {name: cpu, container: routing-proxy, target: {type: Utilization, averageUtilization: 60}}}`

// followsWVA follows the number that the workload variant autoscaler publishes for it.
const followsWVA = `---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: llama-decode
  namespace: llm-d
  annotations: {llm-d.ai/managed: "true", llm-d.ai/model-id: meta-llama/Llama-3.1-70B-Instruct, llm-d.ai/variant-cost: "30"}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: llama-decode}
  maxReplicas: 4
  metrics:
  - type: External
    external:
      metric: {name: wva_desired_replicas, selector: {matchLabels: {variant_name: llama-decode, exported_namespace: llm-d}}}
      target: {type: AverageValue, averageValue: "1"}
`

// followsWVAByKEDA does so too.
const followsWVAByKEDA = `---
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {name: llama-decode, namespace: llm-d}
spec:
  scaleTargetRef: {name: llama-decode}
  maxReplicaCount: 4
  triggers:
  - type: prometheus
    metricType: Value
    metadata: {serverAddress: "http://p:9090", threshold: "1", query: 'wva_desired_replicas{variant_name="llama", exported_namespace="other"}'}
`

// countedByWVA is what an older workload variant autoscaler is told by.
const countedByWVA = `---
apiVersion: llmd.ai/v1alpha1
kind: VariantAutoscaling
metadata: {name: llama, namespace: llm-d}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: llama-decoder}
  modelID: meta-llama/Llama-3.1-70B-Instruct
  maxReplicas: 4
`

func changed(text, old, now string) string { return strings.Replace(text, old, now, 1) }

// ranksOfGroup has eight ranks, and pods for four.
const ranksOfGroup = `apiVersion: leaderworkerset.x-k8s.io/v1
kind: LeaderWorkerSet
metadata: {name: group, namespace: other}
spec:
  leaderWorkerTemplate:
    size: 2
    workerTemplate:
      spec:
        containers:
        - name: modelserver
          image: docker.io/vllm/vllm-openai:v0.30.0
          command: [vllm, serve, m]
          args: [--data-parallel-size=8, --data-parallel-size-local=2, --data-parallel-address=$(LWS_LEADER_ADDRESS)]
          resources: {limits: {nvidia.com/gpu: 2}}`

const scaledWrongly = `apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {name: wrong, namespace: llm-d}
spec:
  scaleTargetRef: {name: llama-prefill}
  minReplicaCount: 5
  maxReplicaCount: 3
  triggers:
  - {type: promethues, metadata: {query: up, threshold: "1"}}
  - {type: prometheus, metricType: Average, metadata: {query: up, threshold: one}}
  - {type: prometheus, metadata: {query: up, threshold: "${T}"}}
  - {type: newer, metadata: {a: b}}`

var serverVariants = []variant{
	{rule: "variant-autoscaler-unmanaged", base: "native", add: changed(followsWVA, `llm-d.ai/managed: "true", `, "")},
	{rule: "variant-autoscaler-unmanaged", base: "native", add: changed(followsWVA, `"30"`, "cheap")},
	{rule: "variant-autoscaler-unmanaged", base: "native", add: followsWVAByKEDA},
	{rule: "variant-autoscaler-name", base: "native", add: changed(followsWVA, "variant_name: llama-decode", "variant_name: llama")},
	{rule: "variant-autoscaler-name", base: "native", add: changed(followsWVA, "exported_namespace: llm-d", "exported_namespace: prod")},
	{rule: "variant-autoscaler-model", base: "native", add: changed(followsWVA, "meta-llama/Llama-3.1-70B-Instruct", "llama")},
	{rule: "flag-value", base: "native", in: "Deployment llama-decode", old: "--tensor-parallel-size=4", new: "--tensor-parallel-size=four"},
	{rule: "flag-value", base: "native", in: "Deployment llama-decode", old: "--tensor-parallel-size=4", new: "--tensor-parallel-size=4\n        - --shutdown-timeout=100s"},
	{rule: "flag-value", base: "native", in: "Deployment llama-decode", old: "--kv-connector=nixlv2", new: "--kv-connector=nixl-v2"},
	{rule: "transfer-config", base: "native", in: "Deployment llama-decode", old: `{"kv_connector"`, new: `{"kv_conector"`},
	{rule: "transfer-config", base: "native", in: "Deployment llama-decode", old: `{"kv_connector":"NixlConnector","kv_role":"kv_both"}`, new: `[{"kv_connector":"NixlConnector","kv_role":"kv_both"}]`},
	{rule: "transfer-config", base: "native", in: "Deployment llama-decode", old: `"kv_role":"kv_both"}`, new: `"kv_role":"kv_both","kv_connector_extra_config":"x"}`},
	{rule: "variant-autoscaler-target", base: "native", add: changed(followsWVA, `averageValue: "1"`, `averageValue: "10"`)},
	{rule: "variant-autoscaler-target", base: "native", add: changed(changed(followsWVAByKEDA, `threshold: "1"`, `threshold: "5"`), "Type: Value", "Type: AverageValue")},
	{rule: "variant-autoscaler-name", base: "native", add: changed(followsWVA, ", selector: {matchLabels: {variant_name: llama-decode, exported_namespace: llm-d}}", "")},
	{rule: "variant-autoscaler-name", base: "native", add: changed(followsWVA, "exported_namespace", "namespace")},
	{rule: "variant-autoscaler-name", base: "native", add: changed(followsWVAByKEDA, `{variant_name="llama", exported_namespace="other"}`, "")},
	{rule: "variant-autoscaler-name", base: "native", add: changed(followsWVAByKEDA, "exported_namespace", "namespace")},
	{rule: "variant-autoscaler-metric", base: "native", add: changed(followsWVA, "wva_desired", "inferno_desired")},
	{rule: "variant-autoscaler-metric", base: "native", add: changed(followsWVAByKEDA, "wva_desired_replicas", "wva_desired_replica")},
	{rule: "variant-autoscaler-target", base: "native", add: changed(followsWVA, `{type: AverageValue, averageValue: "1"}`, `{type: Value, value: "1"}`)},
	{rule: "dangling-reference", base: "native", add: followsWVAByKEDA + countedByWVA},
	{rule: "pd-role-label", base: "native", in: "Deployment llama-decode", old: "        llm-d.ai/role: decode\n", new: ""},
	{rule: "pd-role-absent", base: "native", in: "Deployment llama-prefill"},
	{rule: "pd-role-absent", base: "native", in: "Deployment llama-prefill", old: "        app.kubernetes.io/instance: llama\n        llm-d.ai/inference-serving: \"true\"", new: "        app.kubernetes.io/instance: llama\n        llm-d.ai/inference-serving: \"yes\""},
	{rule: "pd-role-absent", base: "native", in: "Deployment llama-prefill", old: "namespace: llm-d", new: "namespace: llm"},
	{rule: "group-ranks", base: "native", add: ranksOfGroup},
	{rule: "undefined-variable", base: "native", add: strings.Replace(ranksOfGroup, "LWS_LEADER_ADDRESS", "LWS_LEADER_ADRESS", 1)},
	{rule: "transfer-config", base: "native", in: "Deployment llama-decode", old: `{"kv_connector":"NixlConnector","kv_role":"kv_both"}`, new: `{"kv_connector":"MultiConnector","kv_role":"kv_both","kv_load_failure_policy":"retry","kv_buffer_size":"5Gi"}`},
	{rule: "transfer-config", base: "production", in: "Deployment qwen-decode", old: "--max-model-len=32768", new: "--kv-transfer-config.kv_connector=NixlConector\n        - --kv_transfer_config.kv_role=both"},
	{rule: "root-refused", base: "native", in: "Deployment llama-decode", old: "runAsUser: ", new: "runAsUser: 0 # "},
	{rule: "volume-medium", base: "native", in: "Deployment llama-decode", old: "medium: Memory", new: "medium: memory"},
	{rule: "image-name", base: "native", in: "Deployment llama-epp", old: "image: ghcr.io/llm-d", new: "image: ghcr.io/LLM-D"},
	{rule: "accelerator-node", base: "native", add: strings.Replace(ranksOfGroup, "gpu: 2", "gpu: 32", 1)},
	{rule: "budget-without-selector", base: "production", add: "apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: all, namespace: llm-d}\nspec: {maxUnavailable: 1}"},
	{rule: "rbac-verb", base: "native", in: "Role llama-epp", old: "  - watch", new: "  - wacth"},
	{rule: "unknown-field", base: "native", add: "apiVersion: autoscaling/v1\nkind: HorizontalPodAutoscaler\nmetadata: {name: v1, namespace: llm-d}\nspec:\n  maxReplicas: 3\n  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: llama-decode}\n  metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 60}}}]"},
	{rule: "scaling-request", base: "native", add: strings.ReplaceAll(scalerOfShares, "name: cpu", "name: nvidia.com/gpu")},
	{rule: "scaled-object", base: "native", add: scaledWrongly},
	{rule: "pd-sidecar-missing", base: "native", in: "Deployment llama-prefill", old: "        llm-d.ai/role: prefill", new: "        llm-d.ai/role: prefill-decode"},
	{rule: "sidecar-flag", base: "native", in: "Deployment llama-decode", old: "--kv-connector=nixlv2", new: "--connector=nixlv2"},
	{rule: "sidecar-port", base: "native", in: "Deployment llama-decode", old: "--model-server-port=8200", new: "--model-server-port=8201"},
	{rule: "sidecar-restart-policy", base: "native", in: "Deployment llama-decode", old: "        restartPolicy: Always\n", new: ""},
	{rule: "undefined-variable", base: "precise", in: "Deployment qwen-decode", old: "name: POD_IP", new: "name: POD_ADDRESS"},
	{rule: "nixl-host", base: "native", in: "Deployment llama-decode", old: "VLLM_NIXL_SIDE_CHANNEL_HOST", new: "VLLM_NIXL_HOST"},
	{rule: "nixl-keep-alive", base: "native", in: "Deployment llama-prefill", old: "VLLM_HTTP_TIMEOUT_KEEP_ALIVE", new: "VLLM_TIMEOUT"},
	{rule: "pd-connector", base: "native", in: "Deployment llama-prefill", old: "NixlConnector", new: "LMCacheConnectorV1"},
	{rule: "pd-connector", base: "native", in: "Deployment llama-decode", old: `{"kv_connector":"NixlConnector","kv_role":"kv_both"}`,
		new: `{"kv_connector":"MultiConnector","kv_role":"kv_both","kv_connector_extra_config":{"connectors":[{"kv_connector":"LMCacheConnectorV1"},{"kv_connector":"OffloadingConnector"}]}}`},
	{rule: "encode-sidecar", base: "encode", in: "Deployment qwen-vl-decode", old: "        - --ec-connector=ec-nixl\n", new: ""},
	{rule: "ec-connector", base: "encode", in: "Deployment qwen-vl-encode", old: "ECCPUConnector", new: "ECExampleConnector"},
	{rule: "ec-connector", base: "encode", in: "Deployment qwen-vl-prefill", old: "--ec-transfer-config", new: "--kv-events-config"},
	{rule: "ec-sidecar-connector", base: "encode", in: "Deployment qwen-vl-decode", old: "--ec-connector=ec-nixl", new: "--ec-connector=ec-example"},
	{rule: "ec-role", base: "encode", in: "Deployment qwen-vl-encode", old: "ec_producer", new: "ec_consumer"},
	{rule: "ec-role", base: "encode", in: "Deployment qwen-vl-prefill", old: "ec_consumer", new: "ec_producer"},
	{rule: "ec-nixl", base: "encode", in: "Deployment qwen-vl-prefill", old: "\"ec_enable_nixl\":true", new: "\"ec_enable_nixl\":false"},
	{rule: "ec-shared-memory", base: "encode", in: "Deployment qwen-vl-encode", old: "\"ec_cpu_bytes\":4294967296", new: "\"ec_cpu_bytes\":42949672960"},
	{rule: "encode-whole-model", base: "encode", in: "Deployment qwen-vl-encode", old: "        - --mm-encoder-only\n", new: ""},
	{rule: "encode-version", base: "encode", in: "Deployment qwen-vl-encode", old: "vllm-openai:v", new: "vllm-openai:v9"},
	{rule: "epp-config-role", base: "encode", in: "ConfigMap qwen-vl-epp-config", old: "          encode: always-disagg-multimodal-decider\n", new: ""},
	{rule: "pd-role-unknown", base: "encode", in: "Deployment qwen-vl-encode", old: "llm-d.ai/role: encode\n", new: "llm-d.ai/role: encoder\n"},
	{rule: "nixl-host", base: "encode", in: "Deployment qwen-vl-prefill", old: "VLLM_NIXL_SIDE_CHANNEL_HOST\n          valueFrom:\n            fieldRef:\n              fieldPath: status.podIP", new: "VLLM_NIXL_SIDE_CHANNEL_HOST\n          value: 127.0.0.1"},
	{rule: "ec-shared-memory", base: "encode", in: "Deployment qwen-vl-encode", old: "        - name: shm\n          mountPath: /dev/shm\n", new: ""},
	{rule: "ec-connector", base: "encode", in: "Deployment qwen-vl-encode", old: "--ec-transfer-config=", new: "--ec-transfer-configs="},
	{rule: "encode-sidecar", base: "encode", in: "Deployment qwen-vl-decode", old: "--ec-connector=ec-nixl", new: "--ec-connector="},
	{rule: "ec-host", base: "encode", in: "Deployment qwen-vl-encode", old: "VLLM_EC_SIDE_CHANNEL_HOST", new: "VLLM_EC_HOST"},
	{rule: "accelerator-count", base: "native", in: "Deployment llama-decode", old: "--tensor-parallel-size=4", new: "--tensor-parallel-size=8"},
	{rule: "accelerator-idle", base: "native", in: "Deployment llama-decode", old: "--tensor-parallel-size=4", new: "--tensor-parallel-size=2"},
	{rule: "flag-value", base: "native", in: "Deployment llama-decode", old: "--kv-transfer-config=", new: "--kv-transfer-config='"},
	{rule: "flag-value", base: "native", in: "Deployment llama-decode", old: "--secure-proxy=false", new: "--secure-proxy=no"},
	{rule: "flag-value", base: "native", in: "Deployment llama-epp", old: "--secure-serving=true", new: "--secure-serving=true\n        - --drain-timeout=30"},
	{rule: "sidecar-flag", base: "native", in: "Deployment llama-decode", old: "--kv-connector=nixlv2", new: "--kv-conector=nixlv2"},
	{rule: "kv-offload-memory", base: "production", in: "Deployment qwen-decode", old: "--max-model-len=32768",
		new: `'--kv-transfer-config={"kv_connector":"OffloadingConnector","kv_connector_extra_config":{"cpu_bytes_to_use":1099511627776}}'`},
	{rule: "kv-offload-shared-memory", base: "native", in: "Deployment llama-decode", old: `{"kv_connector":"NixlConnector","kv_role":"kv_both"}`,
		new: `{"kv_connector":"MultiConnector","kv_role":"kv_both","kv_connector_extra_config":{"connectors":[{"kv_connector":"NixlConnector"},{"kv_connector":"OffloadingConnector","kv_connector_extra_config":{"cpu_bytes_to_use":10737418240}}]}}`},
	{rule: "workloads-overlap", base: "native", in: "Deployment llama-decode", old: "app.kubernetes.io/component: decode\n      app.kubernetes.io/instance: llama\n  template", new: "app.kubernetes.io/instance: llama\n  template"},
	{rule: "kv-tier-volume", base: "production", in: "Deployment qwen-decode", old: "--max-model-len=32768",
		new: `'--kv-transfer-config={"kv_connector":"OffloadingConnector","kv_role":"kv_both","kv_connector_extra_config":{"spec_name":"TieringOffloadingSpec","cpu_bytes_to_use":1,"secondary_tiers":[{"type":"fs","root_dir":"/kv"}]}}'`},
	{rule: "kv-tier-volume", base: "native", add: "apiVersion: v1\nkind: Pod\nmetadata: {name: sglang, namespace: other}\nspec: {containers: [{name: sglang, image: 'docker.io/lmsysorg/sglang:v0.5.20', args: [--hicache-storage-backend=file], env: [{name: SGLANG_HICACHE_FILE_BACKEND_STORAGE_DIR, value: /kv}]}]}"},
	{rule: "kv-tier-size", base: "production", in: "Deployment qwen-decode", old: "        - name: USER\n          value: vllm",
		new: "        - name: LMCACHE_LOCAL_DISK\n          value: file:///dev/shm/kv/\n        - name: LMCACHE_MAX_LOCAL_DISK_SIZE\n          value: \"10\""},
	{rule: "cpu-kv-cache-memory", base: "production", in: "Deployment qwen-decode", old: "        - name: USER\n          value: vllm", new: "        - name: VLLM_CPU_KVCACHE_SPACE\n          value: \"200\""},
	{rule: "simulator-flag", base: "native", add: "apiVersion: v1\nkind: Pod\nmetadata: {name: sim, namespace: other}\nspec: {containers: [{name: sim, image: 'ghcr.io/llm-d/llm-d-inference-sim:v0.10.2', args: [--model=sim, --max-model-length=5]}]}"},
	{rule: "simulator-tokenizer", base: "precise", add: "apiVersion: v1\nkind: Pod\nmetadata: {name: sim, namespace: other}\nspec: {containers: [{name: sim, image: 'ghcr.io/llm-d/llm-d-inference-sim:v0.10.2', args: [--model=Qwen/Qwen3-32B]}]}"},
	{rule: "engine-label", base: "native", add: "apiVersion: v1\nkind: Pod\nmetadata: {name: sglang, namespace: llm-d, labels: {app.kubernetes.io/instance: llama, llm-d.ai/inference-serving: 'true', llm-d.ai/role: decode}}\nspec: {containers: [{name: modelserver, image: 'docker.io/lmsysorg/sglang:v0.5.20', command: [python3, -m, sglang.launch_server], args: [--port=8000], ports: [{containerPort: 8000}]}]}"},
	{rule: "engine-label", base: "native", add: "apiVersion: v1\nkind: Pod\nmetadata: {name: trtllm, namespace: llm-d, labels: {app.kubernetes.io/instance: llama, llm-d.ai/inference-serving: 'true', llm-d.ai/role: decode}}\nspec: {containers: [{name: modelserver, image: 'nvcr.io/nvidia/tensorrt-llm/release:1.3.0rc28', command: [trtllm-serve, serve], args: [m, --port=8000], ports: [{containerPort: 8000}]}]}"},
	{rule: "server-tls-probe", base: "tls", in: "Deployment llama-prefill", old: "            scheme: HTTPS\n", new: ""},
	{rule: "server-tls-probe", base: "native", in: "Deployment llama-decode", old: "--port=8200", new: "--port=8200\n        - --ssl-certfile=/tls/tls.crt"},
	{rule: "sidecar-tls", base: "tls", in: "Deployment llama-decode", old: "--enable-tls=prefiller,decoder", new: "--enable-tls=decoder"},
	{rule: "sidecar-tls", base: "native", in: "Deployment llama-decode", old: "--secure-proxy=false", new: "--secure-proxy=false\n        - --enable-tls=decoder"},
	{rule: "epp-metrics-scheme", base: "tls", in: "ConfigMap llama-epp-config", old: "scheme: https", new: "scheme: http"},
	{rule: "epp-metrics-scheme", base: "tls", in: "ConfigMap llama-epp-config", old: "        scheme: https", new: "        path: /metrics"},
	{rule: "pool-tls", base: "tls", in: "DestinationRule llama-tls"},
	{rule: "monitor-scheme", base: "tls", in: "PodMonitor llama-servers", old: "    scheme: HTTPS\n", new: ""},
	{rule: "model-name", base: "native", in: "Deployment llama-prefill", old: "--served-model-name=meta-llama/Llama-3.1-70B-Instruct", new: "--served-model-name=llama"},
	{rule: "kv-block-size", base: "precise", in: "Deployment qwen-decode", old: "        - --block-size=64\n", new: ""},
	{rule: "kv-hash-seed", base: "precise", in: "Deployment qwen-decode", old: `value: "42"`, new: `value: "0"`},
	{rule: "kv-events-missing", base: "precise", in: "Deployment qwen-decode", old: "--kv-events-config", new: "--kv-event-config"},
	{rule: "kv-topic", base: "precise", in: "Deployment qwen-decode", old: `"topic":"kv@$(POD_IP):8000@`, new: `"topic":"kv@$(POD_IP)@`},
	{rule: "kv-topic", base: "precise", in: "Deployment qwen-decode", old: `"topic":"kv@`, new: `"topic":"kv.`},
	{rule: "kv-topic", base: "precise", in: "Deployment qwen-decode", old: `"topic":"`, new: `"subject":"`},
	{rule: "kv-render-model", base: "precise", in: "ConfigMap qwen-epp-config", old: "modelName: Qwen/Qwen3-32B", new: "modelName: qwen"},
	{rule: "epp-config-deprecated", base: "precise", in: "ConfigMap qwen-epp-config", old: "prefixMatchInfoProducerName: precise-prefix-cache-producer", new: "matchLengthWeight: 0.5"},
	{rule: "epp-config-invalid", base: "precise", in: "ConfigMap qwen-epp-config", old: "      sources:", new: "      sources: []\n      sorces:"},
	{rule: "epp-config-invalid", base: "precise", in: "ConfigMap qwen-epp-config", old: "    plugins:\n", new: "    plugins:\n    \t- type: queue-scorer\n"},
	{rule: "kv-tokenizer", base: "precise", in: "Deployment qwen-decode", old: "        - Qwen/Qwen3-32B\n        - --port=8000\n        - --served-model-name=Qwen/Qwen3-32B", new: "        - /models/qwen\n        - --port=8000\n        - --served-model-name=qwen",
		add: "apiVersion: v1\nkind: Pod\nmetadata: {name: tokenizer, namespace: llm-d}\nspec: {containers: [{name: render, image: 'docker.io/vllm/vllm-openai-cpu:v0.30.0', command: [vllm, launch, render], args: [qwen]}]}"},
	{rule: "kv-endpoint", base: "precise", in: "Deployment qwen-decode", old: "tcp://*:5556", new: "tcp://*:5557"},
	{rule: "kv-endpoint", base: "precise", in: "Deployment qwen-decode", old: "tcp://*:5556", new: "tcp://qwen-epp.llm-d.svc:5556"},
	{rule: "kv-endpoint", base: "precise", in: "ConfigMap qwen-epp-config", old: "discoverPods: true", new: "discoverPods: false"},
	{rule: "kv-replay", base: "precise", in: "ConfigMap qwen-epp-config", old: "socketPort: 5556", new: "socketPort: 5556\n            replaySocketPort: 5559"},
	{rule: "kv-endpoint", base: "centralized", in: "Service qwen-epp", old: "targetPort: kv-events", new: "targetPort: metrics"},
	{rule: "dangling-reference", base: "centralized", in: "Deployment qwen-decode", old: "tcp://qwen-epp.", new: "tcp://qwen-eep."},
	{rule: "kv-events-missing", base: "precise", in: "Deployment qwen-decode", old: `"enable_kv_cache_events":true`, new: `"enable_kv_cache_events":false`},
	{rule: "kv-events-missing", base: "precise", in: "Deployment qwen-decode", old: `"publisher":"zmq"`, new: `"publisher":"null"`},
	{rule: "kv-redis-loopback", base: "precise", in: "ConfigMap qwen-epp-config", old: "            enableMetrics: true", new: "            redisConfig: {}"},
	{rule: "kv-replicas", base: "centralized", in: "Deployment qwen-epp", old: "replicas: 1", new: "replicas: 2"},
	{rule: "service-port-missing", base: "precise", in: "ConfigMap qwen-epp-config", old: "svc.cluster.local:8000", new: "svc.cluster.local:8082"},
	{rule: "replicas-and-autoscaler", base: "production", in: "Deployment qwen-decode", old: "spec:\n", new: "spec:\n  replicas: 2\n"},
	{rule: "autoscaler-twice", base: "production", add: secondScaler},
	{rule: "autoscaler-flow-control", base: "production", in: "ScaledObject qwen-decode", old: "llm_d_epp_request_running", new: "llm_d_epp_flow_control_queue_size"},
	{rule: "scaling-request", base: "native", add: scalerOfShares},
	{rule: "scaled-object", base: "production", in: "ScaledObject qwen-decode", old: "  triggers:\n", new: "  triggers:\n  - {type: cron, metricType: Utilization, metadata: {}}\n"},
	{rule: "scaled-object-formula", base: "production", in: "ScaledObject qwen-decode", old: "  advanced:\n", new: "  advanced:\n    scalingModifiers: {formula: '1 + 1', target: '4'}\n"},
	{rule: "selector-selects-nothing", base: "production", in: "PodDisruptionBudget qwen-decode", old: "component: decode\n      app.kubernetes.io/instance", new: "component: decoder\n      app.kubernetes.io/instance"},
	{rule: "selector-selects-nothing", base: "production", in: "NetworkPolicy qwen-servers", old: "      - decode\n      - decode-worker\n  ingress", new: "      - server\n  ingress"},
	{rule: "monitor-port", base: "production", in: "PodMonitor qwen-servers", old: "port: http", new: "port: metrics"},
	{rule: "monitor-port", base: "production", in: "ServiceMonitor qwen-epp", old: "port: http-metrics", new: "port: metrics"},
}
