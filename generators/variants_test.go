package generators

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/inferstack/inferstack/release"
)

// A variant is a spec that the laws are tested on.
type variant struct {
	name string
	spec map[string]any
	// namespace and stack name, where they are part of what is varied.
	namespace, stack string
}

// engines are what serves.
var engines = map[string]string{
	"vllm":         `{}`,
	"vllm-pd":      `{prefill: {replicas: 2}, decode: {parallelism: {tensor: 4}}}`,
	"vllm-set":     `{prefill: {replicas: 2}, decode: {disruptionBudget: {maxUnavailable: 1}}, disaggregatedSet: {}}`,
	"simulator":    `{server: {engine: simulator}}`,
	"simulator-pd": `{server: {engine: simulator}, prefill: {}}`,
}

// classes are what stands before it.
var classes = map[string]string{
	"none":         `{}`,
	"istio":        `{gateway: {class: istio}}`,
	"istio-filter": `{gateway: {class: istio, istio: {version: "1.26"}}}`,
	"kgateway":     `{gateway: {class: kgateway}}`,
	"agentgateway": `{gateway: {class: agentgateway}}`,
	"gke":          `{gateway: {class: gke}}`,
	"envoy":        `{gateway: {class: envoy}}`,
}

// features are things to add to a stack of vLLM behind Istio. They add objects and rename
// none.
var features = map[string]string{
	"monitoring":      `{monitoring: {}}`,
	"metrics-token":   `{monitoring: {}, scheduler: {metricsAuth: true}}`,
	"tracing":         `{monitoring: {tracing: {endpoint: "http://otel-collector.observability:4317"}}}`,
	"network-policy":  `{monitoring: {}, networkPolicy: {gatewayNamespaces: [edge], monitoringNamespaces: [monitoring]}}`,
	"closed":          `{networkPolicy: {allowEgress: false}, model: {source: "pvc://weights/qwen"}}`,
	"hpa":             `{decode: {autoscaling: {max: 4, targetCPUUtilization: 70}}, server: {resources: {requests: {cpu: "4"}}}}`,
	"keda":            `{decode: {autoscaling: {type: keda, max: 4, targetRunningRequests: 8, prometheusAddress: "http://prometheus.monitoring:9090"}}, monitoring: {}}`,
	"wva":             `{decode: {autoscaling: {max: 4, wva: {acceleratorName: H100}}}, monitoring: {}}`,
	"wva-keda":        `{decode: {autoscaling: {type: keda, max: 4, prometheusAddress: "https://thanos.monitoring:9091", prometheusAuth: {authenticationRef: {name: prometheus}, authModes: [bearer], unsafeSsl: true}, wva: {variantCost: "5"}}}, monitoring: {}}`,
	"budget":          `{decode: {disruptionBudget: {minAvailable: 1}}}`,
	"claim":           `{model: {storage: {type: pvc, size: 100Gi}}}`,
	"token":           `{model: {tokenSecret: {name: hf-token}}}`,
	"oci":             `{model: {source: "oci://registry.example/models/qwen:1"}}`,
	"s3":              `{model: {source: "s3://models/qwen", download: {image: "example.com/initializer:v1", credentialsSecret: s3, endpoint: "https://minio.example", region: eu-west-1}, storage: {size: 100Gi, readOnly: true}}}`,
	"gs":              `{model: {source: "gs://models/qwen", download: {credentialsSecret: gcs}}}`,
	"cached":          `{model: {source: "pvc+hf://cache/hub/Qwen/Qwen3-32B"}}`,
	"redis":           `{kvCache: {redis: {}}}`,
	"redis-kept":      `{kvCache: {redis: {persistence: {}, passwordSecret: {name: redis, key: password}}}}`,
	"redis-elsewhere": `{kvCache: {redis: {address: "redis.db:6379"}}, networkPolicy: {allowEgress: false}}`,
	"offload":         `{kvCache: {offload: {cpuMemory: 32Gi}}}`,
	"offload-arc":     `{kvCache: {offload: {cpuMemory: 32Gi, evictionPolicy: arc, blockSize: 64, secondaryTiers: [{type: ephemeral, size: 100Gi, storageClassName: fast}, {type: pvc, size: 1Ti, path: a/b, readThreads: 32, writeThreads: 8}, {type: pvc, existingClaim: blocks, mountPath: /blocks}]}}}`,
	"lmcache":         `{kvCache: {offload: {connector: lmcache, cpuMemory: 32Gi, evictionPolicy: mru, secondaryTiers: [{size: 100Gi}]}}}`,
	"mooncake-store":  `{kvCache: {offload: {connector: mooncake, cpuMemory: 32Gi, mooncake: {masterAddress: "master.mooncake:50051", metadataServer: "http://metadata:8080/metadata", protocol: tcp, deviceName: eth0}}}, networkPolicy: {allowEgress: false}}`,
	"objectives":      `{objectives: [{name: gold, priority: 10}, {name: batch, priority: -1}]}`,
	"service":         `{server: {service: {enabled: true}}, decode: {service: {name: only-decode}}}`,
	"load-balancing":  `{loadBalancing: {algorithm: LEAST_CONN, connectionPool: {maxConnections: 100, idleTimeout: 15m, maxConnectionDuration: 30m}}}`,
	"listeners":       `{gateway: {listeners: [{name: web, port: 443, protocol: HTTPS, tlsSecret: cert, tlsSecretNamespace: certs}]}}`,
	"second-gateway":  `{extraGateways: [{class: istio, name: inside}, {class: envoy}]}`,
	"fail-open":       `{scheduler: {failureMode: FailOpen}}`,
	"rdma":            `{server: {accelerator: {rdma: {count: 2, capabilities: [], hcas: [mlx5_0, mlx5_1], interface: eth0, gidIndex: 3, gdrCopy: true, remoteTransport: ibgda, ucxTransports: [rc, cuda_copy]}}}, decode: {parallelism: {data: 2, expert: true, all2allBackend: deepep_v2}}}`,
	"predictor":       `{scheduler: {latencyPredictor: {predictionServers: 2}}}`,
	"server-tls":      `{server: {certSecret: server-tls}, monitoring: {}}`,
	"own-certificate": `{scheduler: {certSecret: epp-tls}}`,
	"two-epps":        `{scheduler: {replicas: 2}}`,
	"delivery":        `{delivery: {labels: {team: ml}, annotations: {owner: me}, syncWaves: true}}`,
	"flux":            `{server: {args: ["--label=${x}"]}}`,
	"baseline":        `{security: {podSecurity: baseline}}`,
	"platform-ids":    `{security: {runAsUser: 0, fsGroup: 0}}`,
	"pull":            `{images: {pullPolicy: Always, pullSecrets: [registry]}}`,
	"patched":         `{server: {podTemplatePatch: {spec: {hostname: a}}}, scheduler: {podTemplatePatch: {metadata: {annotations: {a: b}}}}}`,
	"scheduled":       `{server: {nodeSelector: {a: b}, tolerations: [{operator: Exists}], topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: ScheduleAnyway}], podLabels: {tier: gold}, podAnnotations: {p: q}, env: [{name: A, value: b}], volumes: [{name: v, emptyDir: {}}], volumeMounts: [{name: v, mountPath: /v}]}}`,
	"routed":          `{route: {hostnames: [a.example], matches: [{path: {type: PathPrefix, value: /v1}}], timeouts: {request: 5m}}}`,
	"smoke-test":      `{delivery: {smokeTest: {headers: {x-tier: gold}, timeoutSeconds: 60}, syncWaves: true}, networkPolicy: {}, route: {hostnames: ["*.example.com"], matches: [{path: {value: /qwen}, headers: [{name: a, value: b}]}], filters: [{type: URLRewrite, urlRewrite: {path: {type: ReplacePrefixMatch, replacePrefixMatch: /}}}]}}`,
	"queued":          `{server: {labels: {kueue.x-k8s.io/queue-name: gpus}, annotations: {a: b}}, decode: {labels: {kueue.x-k8s.io/priority-class: high}, priorityClassName: high}, scheduler: {labels: {c: d}, annotations: {e: f}}}`,
	"vllm-settings":   `{server: {vllm: {maxModelLen: 4096, gpuMemoryUtilization: 0.9, prefixCaching: true, maxNumSeqs: 8, maxNumBatchedTokens: 2048, enforceEager: true, dtype: bfloat16, quantization: fp8, kvCacheDtype: fp8, moeBackend: deep_gemm, asyncScheduling: true, toolCallParser: hermes, limitMmPerPrompt: {image: 4}, speculativeConfig: {method: mtp}, loggingLevel: DEBUG}}, decode: {vllm: {maxNumSeqs: 4, enforceEager: false}}}`,
}

// others change what the stack is made of.
var others = map[string]string{
	"bypass":               `{route: {backend: service}}`,
	"split":                `{gateway: {class: agentgateway}, route: {split: [{pool: other, weight: 9}]}}`,
	"rules":                `{route: {namespace: edge, hostnames: [a.example], rules: [{matches: [{path: {value: /a}}], filters: [{type: URLRewrite, urlRewrite: {path: {type: ReplacePrefixMatch, replacePrefixMatch: /}}}]}, {matches: [{path: {value: /b}}], backendRefs: [{name: other, namespace: elsewhere}], timeouts: {request: 5m}}, {name: inside, hostnames: [b.example], backendRefs: [{kind: Service}]}, {name: old, hostnames: [c.example], filters: [{type: RequestRedirect, requestRedirect: {scheme: https}}]}]}, networkPolicy: {}}`,
	"rules-weights":        `{gateway: {class: agentgateway}, route: {rules: [{backendRefs: [{weight: 9}, {name: other, weight: 1}]}]}}`,
	"rules-filter":         `{gateway: {extProc: envoyFilter}, route: {rules: [{matches: [{path: {value: /a}}]}, {matches: [{path: {value: /b}}], backendRefs: [{kind: Service, name: other, port: 80}]}, {name: inside, hostnames: [b.example]}]}}`,
	"smoke-test-pd":        `{prefill: {}, scheduler: {metricsAuth: true}, delivery: {smokeTest: {url: "https://llm.example.com/", image: "example.com/curl:1"}}, networkPolicy: {allowEgress: false}}`,
	"smoke-test-proxy":     `{gateway: {class: envoy}, server: {engine: simulator}, prefill: {}, delivery: {smokeTest: {}}, networkPolicy: {}}`,
	"smoke-test-service":   `{gateway: {class: kgateway}, route: {rules: [{matches: [{path: {value: /x}}], backendRefs: [{name: other}]}, {backendRefs: [{kind: Service}]}]}, server: {service: {enabled: true}}, delivery: {smokeTest: {}}}`,
	"plaintext":            `{scheduler: {secureServing: false}}`,
	"data-parallel":        `{decode: {parallelism: {data: 4}}, monitoring: {}, networkPolicy: {}}`,
	"data-parallel-pd":     `{decode: {parallelism: {data: 2}}, prefill: {parallelism: {data: 2}}, monitoring: {}}`,
	"lora":                 `{model: {name: a/b, lora: {adapters: [{name: s, source: 'hf://a/c'}, {name: t, source: 'pvc://claim/t'}, {name: u, source: 'oci://example.com/u:1'}], resolveFrom: 'pvc://other/dir', maxRank: 32, maxAdapters: 2, maxCpuAdapters: 4}}, modelRewrites: [{name: r, models: [v], targets: [{model: s, weight: 9}, {model: t, weight: 1}]}], prefill: {}}`,
	"served by name":       `{model: {name: a/b, servedNames: [chat]}, scheduler: {preset: precise-prefix}}`,
	"lora-ranks":           `{model: {name: a/b, lora: {adapters: [{name: s, source: 'hf://a/c', rank: 48}, {name: t, source: 'hf://a/d', rank: 8}]}}}`,
	"simulated adapters":   `{model: {name: a/b, lora: {adapters: [{name: s, source: 'hf://a/c'}, {name: t, source: 'hf://a/d'}], maxAdapters: 2}}, server: {engine: simulator}, modelRewrites: [{name: r, targets: [{model: s}]}]}`,
	"sglang":               `{server: {engine: sglang, sglang: {contextLength: 4096, memFractionStatic: 0.9, maxRunningRequests: 64}}, decode: {parallelism: {tensor: 2, data: 2, expert: true}}, monitoring: {tracing: {endpoint: 'http://otel:4317'}}, networkPolicy: {}}`,
	"sglang-disaggregated": `{server: {engine: sglang}, prefill: {}, decode: {parallelism: {tensor: 2}}, kvTransfer: {transferBackend: mooncake, bootstrapPort: 9500}, networkPolicy: {}}`,
	"sglang-precise":       `{server: {engine: sglang}, scheduler: {preset: precise-prefix}, monitoring: {}, networkPolicy: {}}`,
	"sglang-multi-node":    `{server: {engine: sglang}, decode: {parallelism: {tensor: 16, nodes: 2}}, monitoring: {}}`,
	"sglang-adapters":      `{model: {name: a/b, lora: {adapters: [{name: s, source: 'hf://a/c'}, {name: t, source: 'pvc://claim/t'}], maxRank: 32, maxAdapters: 2, maxCpuAdapters: 4}}, server: {engine: sglang}}`,
	"trtllm":               `{model: {name: a/b, servedNames: [chat]}, server: {engine: trtllm, trtllm: {maxSeqLen: 4096, maxBatchSize: 8, freeGpuMemoryFraction: 0.8, extraLlmApiOptions: {enable_chunked_prefill: true}}}, decode: {parallelism: {tensor: 2, pipeline: 2}}, monitoring: {tracing: {endpoint: 'http://otel:4317'}}}`,
	"hicache":              `{server: {engine: sglang}, decode: {parallelism: {tensor: 2}}, kvCache: {offload: {cpuMemory: 100Gi, secondaryTiers: [{type: pvc, size: 1Ti}]}}}`,
	"offload-by-role":      `{prefill: {kvRole: kv_both, offload: {cpuMemory: 100Gi, secondaryTiers: [{type: pvc, size: 1Ti}]}}, decode: {kvRole: kv_both}, kvCache: {offload: {cpuMemory: 10Gi, secondaryTiers: [{type: pvc, size: 1Ti}]}}}`,
	"mooncake-stores":      `{prefill: {parallelism: {tensor: 2}}, kvTransfer: {connector: mooncake}, kvCache: {offload: {connector: mooncake, cpuMemory: 32Gi, mooncake: {masterAddress: "master.mooncake:50051"}}}}`,
	"variants":             `{decode: {replicas: 3, parallelism: {tensor: 4}, podLabels: {tier: gold}, disruptionBudget: {maxUnavailable: 1}, service: {name: decoders}, variants: [{name: h100, accelerator: {nodeLabel: {key: gpu, values: [h100]}}}, {name: amd, accelerator: {type: amd}, parallelism: {tensor: 2}, podLabels: {tier: silver}}, {name: spot, nodeSelector: {spot: "true"}, tolerations: [{operator: Exists}], autoscaling: {max: 4, targetRunningRequests: 8}, topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: ScheduleAnyway}]}, {name: large, parallelism: {tensor: 16, nodes: 2}}, {name: canary, replicas: 1, image: "example.com/vllm:next", args: [--enforce-eager], env: [{name: A, value: b}]}]}, monitoring: {}, networkPolicy: {}, server: {service: {enabled: true}}}`,
	"variants-pd":          `{decode: {name: dec, variants: [{name: a, parallelism: {tensor: 4}, offload: {cpuMemory: 10Gi, secondaryTiers: [{type: pvc, size: 1Ti}]}}, {name: b, parallelism: {tensor: 2}}]}, prefill: {offload: {connector: mooncake, cpuMemory: 32Gi, mooncake: {masterAddress: "m:50051"}}, variants: [{name: a}, {name: b, accelerator: {dra: {}}}]}, kvCache: {offload: {cpuMemory: 10Gi, secondaryTiers: [{type: pvc, size: 1Ti}]}}, monitoring: {}, delivery: {smokeTest: {}}}`,
	"encode-decode":        `{gateway: {class: kgateway}, encode: {replicas: 2}, ecTransfer: {cpuMemory: 2Gi, sideChannelPort: 5700}, scheduler: {failureMode: FailClose}}`,
	"encode-variants":      `{gateway: {class: envoy}, encode: {name: enc, variants: [{name: a}, {name: b, replicas: 2}]}, prefill: {}, scheduler: {failureMode: FailClose}}`,
	"encode-simulated":     `{gateway: {class: istio}, server: {engine: simulator}, encode: {}, scheduler: {failureMode: FailClose}}`,
	"encode-by-files":      `{encode: {}, prefill: {}, ecTransfer: {connector: ec-example, claimName: embeddings}, networkPolicy: {}, monitoring: {}}`,
	"encode-configured":    `{encode: {}, ecTransfer: {config: {ec_connector: Own, ec_role: ec_producer}, consumerConfig: {ec_connector: Own, ec_role: ec_consumer}}, server: {certSecret: server-tls}}`,
	"encode-listed":        `{encode: {service: {name: only-encode}}, prefill: {}, scheduler: {scorers: [{type: queue-scorer}]}, delivery: {smokeTest: {}}}`,
	"mooncake":             `{prefill: {}, kvTransfer: {connector: mooncake, bootstrapPort: 9500}, networkPolicy: {}}`,
	"gs-multi-node":        `{model: {name: a/b, source: "gs://models/qwen"}, decode: {parallelism: {tensor: 16, nodes: 2}}}`,
	"multi-node":           `{decode: {parallelism: {tensor: 16, nodes: 2}}, monitoring: {}, networkPolicy: {}}`,
	"wide-expert":          `{decode: {parallelism: {data: 16, nodes: 2, expert: true}}, prefill: {parallelism: {data: 16, nodes: 2, expert: true}}, monitoring: {}}`,
	"load-aware":           `{scheduler: {preset: load-aware}}`,
	"queue":                `{scheduler: {preset: queue}}`,
	"random":               `{scheduler: {preset: random}}`,
	"prefix-aware":         `{scheduler: {preset: prefix-aware}, monitoring: {}}`,
	"precise-prefix":       `{scheduler: {preset: precise-prefix}, monitoring: {}, networkPolicy: {}}`,
	"precise-central":      `{scheduler: {preset: precise-prefix}, kvCache: {events: {mode: centralized}, blockSize: 32}, networkPolicy: {allowEgress: false}}`,
	"precise-replay":       `{scheduler: {preset: precise-prefix}, kvCache: {events: {replayPort: 5559}}, networkPolicy: {}}`,
	"precise-simulator":    `{server: {engine: simulator, simulator: {kvCacheSize: 1024}}, scheduler: {preset: precise-prefix}, networkPolicy: {}}`,
	"precise-redis":        `{scheduler: {preset: precise-prefix}, kvCache: {redis: {index: true}}, networkPolicy: {}}`,
	"simulator-scores":     `{server: {engine: simulator}, scheduler: {preset: simulator}}`,
	"scorers":              `{scheduler: {scorers: [{type: queue-scorer, weight: 2}, {type: kv-cache-utilization-scorer}]}}`,
	"amd":                  `{server: {accelerator: {type: amd}}}`,
	"gaudi":                `{server: {accelerator: {type: intel-gaudi}}}`,
	"xpu":                  `{server: {accelerator: {type: intel-xpu}}}`,
	"cpu":                  `{server: {accelerator: {type: cpu}}}`,
	"tpu":                  `{server: {accelerator: {type: google-tpu, tpu: {accelerator: tpu-v6e-slice, topology: 2x4}}}, decode: {parallelism: {tensor: 8}}}`,
	"dra":                  `{server: {accelerator: {dra: {selectors: ["device.attributes['gpu.nvidia.com'].type == 'gpu'"]}}}}`,
	"no-epp":               `{scheduler: {enabled: false}, pool: {create: false}, route: {backend: service}}`,
	"servers-elsewhere":    `{server: {create: false}, pool: {selector: {app: sim}}, monitoring: {}, networkPolicy: {}}`,
	"gateway-elsewhere":    `{gateway: {namespace: edge, name: shared}, networkPolicy: {}, route: {namespace: edge}}`,
	"existing-gateway":     `{gateway: {namespace: edge, name: shared, existing: true}}`,
	"epp-elsewhere":        `{gateway: {extProc: envoyFilter}, scheduler: {namespace: epps}, monitoring: {}, networkPolicy: {}}`,
	"proxy-elsewhere":      `{gateway: {class: envoy, namespace: edge}, networkPolicy: {}}`,
	"own-names":            `{decode: {name: workers}, scheduler: {name: picker, configMap: {name: picker-config}}, pool: {name: models}, gateway: {name: front}, route: {name: way}, server: {service: {enabled: true, name: plain}}}`,
	"own-selector-of-epp":  `{scheduler: {selector: {app: picker}, podLabels: {team: a}, replicas: 2}, monitoring: {}, networkPolicy: {}}`,
	"own-selector":         `{pool: {selector: {app: models}}, monitoring: {}}`,
	"other-ports":          `{server: {port: 9100, sidecarTargetPort: 9200}, prefill: {}, monitoring: {}, networkPolicy: {}}`,
	"custom-launch":        `{server: {launch: custom, command: [python], args: [-m, serve]}}`,
	"older-monitoring":     `{release: "0.4", monitoring: {}, networkPolicy: {}, prefill: {}}`,
	"older-precise-prefix": `{release: "0.4", scheduler: {preset: precise-prefix}}`,
}

// variants is the cross product of engines, classes and release lines, and every feature
// and other setting on a stack of vLLM behind Istio.
func variants(t *testing.T) []variant {
	t.Helper()
	var out []variant
	for _, line := range release.Names() {
		for _, engine := range slices.Sorted(maps.Keys(engines)) {
			for _, class := range slices.Sorted(maps.Keys(classes)) {
				spec := overlaid(t, engines[engine], classes[class], fmt.Sprintf(`{release: %q}`, line))
				out = append(out, variant{name: line + "/" + engine + "/" + class, spec: spec, namespace: "llm-d", stack: "demo"})
			}
		}
	}
	for _, table := range []map[string]string{features, others} {
		for _, name := range slices.Sorted(maps.Keys(table)) {
			spec := overlaid(t, classes["istio"], table[name])
			out = append(out, variant{name: name, spec: spec, namespace: "llm-d", stack: "demo"})
		}
	}
	all := overlaid(t, classes["istio"], features["monitoring"], features["claim"], features["service"])
	return append(out,
		variant{name: "no-namespace", spec: overlaid(t, `{monitoring: {}, networkPolicy: {}}`), stack: "demo"},
		variant{name: "long-name", spec: all, namespace: "llm-d", stack: strings.Repeat("long-", 8) + "name"},
	)
}

// overlaid merges specs, given as YAML; later ones win.
func overlaid(t *testing.T, specs ...string) map[string]any {
	t.Helper()
	out := map[string]any{"model": map[string]any{"name": "Qwen/Qwen3-32B"}}
	for _, text := range specs {
		var spec map[string]any
		if err := yaml.Unmarshal([]byte(text), &spec); err != nil {
			t.Fatalf("%v in %s", err, text)
		}
		overlay(out, spec)
	}
	return out
}

func overlay(base, over map[string]any) {
	for k, v := range over {
		inner, isMap := v.(map[string]any)
		if old, ok := base[k].(map[string]any); ok && isMap {
			overlay(old, inner)
		} else {
			base[k] = v
		}
	}
}

// document is the variant as a user writes it.
func (v variant) document(t *testing.T) string {
	t.Helper()
	metadata := map[string]any{"name": v.stack}
	if v.namespace != "" {
		metadata["namespace"] = v.namespace
	}
	data, err := yaml.Marshal(map[string]any{
		"apiVersion": "inferstack.dev/v1alpha1",
		"kind":       "InferenceStack",
		"metadata":   metadata,
		"spec":       v.spec,
	})
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
