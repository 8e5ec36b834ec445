package apiserver

// A step is an edit of a stack that runs already, as a JSON merge patch. Steps go over one another.
type step struct{ name, patch string }

// life is what every example goes through: the edits that most stacks see.
var life = []step{
	{"the 0.4 line", `spec: {release: "0.4"}`},
	{"the 0.10 line", `spec: {release: "0.10"}`},
	{"another model", `spec: {model: {name: mistralai/Ministral-8B-Instruct-2410, servedNames: [chat], label: chat}}`},
	{"more of everything", `spec: {server: {resources: {requests: {cpu: "5", memory: 30Gi}}}, scheduler: {verbosity: 4, resources: {requests: {cpu: "2"}}}, decode: {replicas: 5, autoscaling: null}}`},
	{"another preset", `spec: {scheduler: {preset: queue, disaggregation: null, latencyPredictor: null}, prefill: null, kvCache: null}`},
	{"with prefill", `spec: {scheduler: {preset: null}, prefill: {replicas: 2}}`},
	{"without prefill", `spec: {prefill: null}`},
	{"over two nodes", `spec: {decode: {parallelism: {tensor: 16, data: null, dataLocal: null, nodes: 2, expert: null, all2allBackend: null}}}`},
	{"on one node", `spec: {decode: {parallelism: null}}`},
	{"kgateway", `spec: {gateway: {class: kgateway, istio: null, gke: null, kgateway: {version: "2.1"}}}`},
	{"istio", `spec: {gateway: {class: istio, kgateway: null}}`},
	{"the standalone proxy", `spec: {gateway: {class: envoy, existing: null, listeners: null}, route: null}`},
}

// longLife is what the examples with the most parts go through after that.
var longLife = []step{
	{"istio again", `spec: {gateway: {class: istio}}`},
	{"the EnvoyFilter", `spec: {gateway: {istio: {version: "1.27", inferenceExtension: false}}}`},
	{"agentgateway", `spec: {gateway: {class: agentgateway, istio: null, serviceType: ClusterIP}}`},
	{"gke", `spec: {gateway: {class: gke, serviceType: null}}`},
	{"autoscaling", `spec: {monitoring: {}, decode: {replicas: null, autoscaling: {min: 2, max: 6, targetRunningRequests: 8}, disruptionBudget: {maxUnavailable: 1}}}`},
	{"fixed replicas", `spec: {decode: {replicas: 1, autoscaling: null, disruptionBudget: null}}`},
	{"other ports", `spec: {prefill: {}, server: {port: 8100, sidecarTargetPort: 8300}, scheduler: {port: 9102}}`},
	{"the usual ports", `spec: {prefill: null, server: {port: null, sidecarTargetPort: null}, scheduler: {port: null}}`},
	{"two pickers", `spec: {scheduler: {replicas: 2}}`},
	{"active pickers", `spec: {scheduler: {preset: queue, highAvailability: active-active}}`},
	{"one picker", `spec: {scheduler: {replicas: null, highAvailability: null, failureMode: FailOpen, secureServing: false, metricsAuth: true}}`},
	{"volumes", `spec: {model: {storage: {type: pvc, size: 100Gi, existingClaim: null, readOnly: null}}, kvCache: {redis: {persistence: {size: 8Gi}}}}`},
	{"larger volumes", `spec: {model: {storage: {size: 200Gi}}, kvCache: {redis: {persistence: {size: 9Gi}}}}`},
	{"smaller volumes of another class", `spec: {model: {storage: {size: 150Gi, storageClassName: fast, accessMode: ReadWriteOnce}}, kvCache: {redis: {persistence: {storageClassName: fast}}}}`},
	{"no volumes", `spec: {model: {storage: null}, kvCache: null}`},
	{"everything beside it", `spec: {monitoring: {tracing: {endpoint: "http://otel:4317"}}, networkPolicy: {monitoringNamespaces: [monitoring]}, objectives: [{name: chat, priority: 10}], delivery: {labels: {team: a}, annotations: {note: b}, syncWaves: true}}`},
	{"the plain Service", `spec: {gateway: {class: istio}, route: {backend: service}, server: {service: {enabled: true, type: NodePort}}, loadBalancing: {algorithm: LEAST_REQUEST}}`},
	{"the pool again", `spec: {route: {backend: null}, server: {service: null}, loadBalancing: null, monitoring: null, networkPolicy: null, objectives: null, delivery: null}`},
	{"no gateway", `spec: {gateway: null, route: null}`},
}

// long are the examples that live long.
var long = map[string]bool{"production-vllm": true, "multi-node": true, "prefill-decode-envoyfilter": true}

// ends are the examples with a Job. The API server writes a name of its own into each, and keeps one
// that was deleted until its Pods are gone, which nothing here removes.
var ends = map[string]bool{"smoke-test": true}

// refused are the steps that the compiler refuses for an example, and what it says.
var refused = map[string]string{
	"quickstart/over two nodes":            "must be 1 with the simulator",
	"standalone-envoy/over two nodes":      "must be 1 with the simulator",
	"sglang-prefill-decode/the 0.4 line":   "must not be sglang on release line 0.4",
	"tensorrt-llm/the 0.4 line":            "must not be trtllm on release line 0.4",
	"tensorrt-llm/with prefill":            "cannot be used with engine: trtllm",
	"tensorrt-llm/over two nodes":          "must be 1 with TensorRT-LLM",
	"tpu/with prefill":                     "spec.kvTransfer.config: is required",
	"tpu/over two nodes":                   "must be 1 on google-tpu",
	"two-models/the standalone proxy":      "is made by InferenceStack",
	"several-rules/the standalone proxy":   "is made by InferenceStack",
	"encode-prefill-decode/the 0.4 line":   "needs a release line whose EPP and routing sidecar know encode servers",
	"encode-prefill-decode/another preset": "queue has no profile for encode servers",
	"batch-serving/the 0.4 line":           "spec.scheduler.config.flowControl: unknown field",
	"batch-serving/another preset":         "spec.scheduler.preset: is not used beside a whole config",
	"batch-serving/with prefill":           "has no profile handler for the prefill section",
	"disaggregated-set/another preset":     "needs a second role",
	"disaggregated-set/without prefill":    "needs a second role",
	"kueue/the 0.4 line":                   "cannot do without Ray",
	"predicted-latency/the 0.4 line":       "needs a release line whose EPP asks for predictions",
	"server-tls/kgateway":                  "kgateway's policies for TLS take Services and not InferencePools",
	"tiered-prefix-cache/the 0.4 line":     "the vLLM of release 0.4 takes no size in bytes",
	"variant-autoscaling/the 0.4 line":     "needs a release line with a workload variant autoscaler",
	"wide-expert-parallelism/the 0.4 line": "has no flag in the vLLM of release line 0.4",
}
