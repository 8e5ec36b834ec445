package rules

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/inferstack/inferstack/schema"
	"github.com/inferstack/inferstack/schema/document"
)

// said returns what the rules say about a spec, as path: message, one per line; warnings
// and infos are marked.
func said(t *testing.T, spec string) string {
	t.Helper()
	text := "apiVersion: inferstack.dev/v1alpha1\nkind: InferenceStack\nmetadata: {name: demo}\nspec:\n  " +
		strings.ReplaceAll(strings.TrimSpace(spec), "\n", "\n  ") + "\n"
	docs, problems := document.Read("f", []byte(text))
	if len(docs) != 1 {
		t.Fatal(problems)
	}
	_, problems = Parse(docs[0].Node, docs[0].Source)
	var lines []string
	for _, p := range problems {
		if p.Severity == schema.Info && p.Path == "metadata.namespace" {
			continue // these stacks have none
		}
		mark := ""
		if p.Severity != schema.Error {
			mark = string(p.Severity) + " "
		}
		lines = append(lines, mark+p.Path+": "+p.Message)
	}
	return strings.Join(lines, "\n")
}

func TestServerRules(t *testing.T) {
	for _, tc := range []struct{ name, spec, want string }{
		{"nothing to say", `
model: {name: m}
prefill: {}
server: {args: [--enforce-eager, -O3]}`, ``},
		{"unknown release line", `
model: {name: m}
release: "0.9"`, `spec.release: must be one of 0.4, 0.10 (got "0.9")`},
		{"vllm section with the simulator", `
model: {name: m}
server: {engine: simulator, vllm: {maxModelLen: 1}}`, `spec.server.vllm: belongs to engine: vllm, and spec.server.engine is simulator`},
		{"simulator section with vllm", `
model: {name: m}
server: {simulator: {mode: echo}}`, `spec.server.simulator: belongs to engine: simulator, and spec.server.engine is vllm`},
		{"custom engine without a name", `
model: {name: m}
server: {image: "example.com/engine:v1", launch: custom, command: [python3, -m, sglang.launch_server]}`, `warning spec.server.engine: is not written, so the EPP looks for vLLM's metrics on the decode servers, whose command says nothing of vLLM; set it to what they run, or podLabels llm-d.ai/engine-type to the name of the engine`},
		{"custom engine with its label", `
model: {name: m}
server: {image: "example.com/engine:v1", launch: custom, command: [serve], podLabels: {llm-d.ai/engine-type: sglang}}`, ``},
		{"custom engine with its name", `
model: {name: m}
server: {engine: sglang, image: "example.com/engine:v1", launch: custom, command: [serve]}`, ``},
		{"custom vLLM", `
model: {name: m}
server: {launch: custom, command: [sh, -c, exec vllm serve m]}`, ``},
		{"settings of connectors that are not used", `
model: {name: m}
server: {engine: sglang}
prefill: {}
kvTransfer: {sideChannelPort: 5601}`, `info spec.kvTransfer.sideChannelPort: has no effect: it counts with connector nixlv2 only`},
		{"settings of vLLM in the roles of another engine", `
model: {name: m}
server: {engine: sglang}
decode: {vllm: {maxNumSeqs: 4}, variants: [{name: a}, {name: b, vllm: {enforceEager: true}}]}
prefill: {vllm: {maxNumSeqs: 4}}`, `
spec.decode.vllm: belongs to engine: vllm, and spec.server.engine is sglang
spec.decode.variants[1].vllm: belongs to engine: vllm, and spec.server.engine is sglang
spec.prefill.vllm: belongs to engine: vllm, and spec.server.engine is sglang`},
		{"settings of vLLM as arguments too", `
model: {name: m}
server: {args: [--enforce-eager, --tool-call-parser=hermes], vllm: {toolCallParser: hermes}, env: [{name: VLLM_LOGGING_LEVEL, value: DEBUG}]}
decode: {args: [--no-enable-eplb], vllm: {loggingLevel: INFO}}
prefill: {args: [--enable-auto-tool-choice], vllm: {enforceEager: true, enableEplb: true}}`, `
spec.server.args[0]: --enforce-eager is generated from spec.prefill.vllm.enforceEager; set that instead
spec.server.args[1]: --tool-call-parser is generated from spec.server.vllm.toolCallParser; set that instead
spec.server.env[0]: VLLM_LOGGING_LEVEL is generated from spec.decode.vllm.loggingLevel; set that instead
spec.prefill.args[0]: --enable-auto-tool-choice is generated from spec.server.vllm.toolCallParser; set that instead
spec.prefill.vllm.enableEplb: balances experts between ranks, for which vLLM asks for spec.prefill.parallelism.expert: true`},
		{"settings that older lines and other servers lack", `
model: {name: m}
release: "0.4"
decode: {vllm: {moeBackend: deep_gemm, cpuKvCacheSpace: 4}}`, `
spec.decode.vllm.moeBackend: needs a release line whose vLLM has it, and that of 0.4 has not
warning spec.decode.vllm.cpuKvCacheSpace: is for cpu servers, and these run on nvidia: it has no effect`},
		{"types of the KV cache that differ", `
model: {name: m}
server: {vllm: {kvCacheDtype: fp8}}
prefill: {vllm: {kvCacheDtype: auto}}`, `warning spec.prefill.args: --kv-cache-dtype is auto here and fp8 on the decode servers, which read the blocks that prefill servers write; make them the same`},
		{"types of the model that differ", `
model: {name: m}
decode: {vllm: {dtype: float16}}
prefill: {vllm: {dtype: bfloat16}}`, `warning spec.prefill.args: --dtype is bfloat16 here and float16 on the decode servers, which read the blocks that prefill servers write; make them the same`},
		{"settings with which vLLM does not start", `
model: {name: m}
server: {vllm: {maxNumBatchedTokens: 512, maxNumSeqs: 1024}}
decode: {vllm: {enableEplb: true}}
prefill: {vllm: {maxNumSeqs: 512, enableEplb: true}, parallelism: {expert: true, data: 2}}`, `
spec.server.vllm.maxNumBatchedTokens: is less than maxNumSeqs, and each sequence takes at least one token of a step: vLLM does not start (512 and 1024)
spec.decode.vllm.enableEplb: balances experts between ranks, for which vLLM asks for spec.decode.parallelism.expert: true`},
		{"servers without metrics", `
model: {name: m}
decode: {args: [--disable-log-stats]}`, `warning spec.decode.args[0]: takes away the metrics by which the EPP, autoscalers and alerts know the servers' load`},
		{"settings of NIXL beside a whole configuration", `
model: {name: m}
prefill: {}
kvTransfer: {bufferDevice: cpu, backends: [UCX], loadFailurePolicy: fail, config: {kv_connector: NixlConnector, kv_role: kv_both}}`, `
info spec.kvTransfer.bufferDevice: has no effect: it counts with connector nixlv2 and without config only
info spec.kvTransfer.backends: has no effect: it counts with connector nixlv2 and without config only
info spec.kvTransfer.loadFailurePolicy: has no effect: it counts with vLLM and without config only`},
		{"settings of SGLang with vLLM", `
model: {name: m}
prefill: {}
kvTransfer: {transferBackend: mooncake, bootstrapPort: 9000}`, `
info spec.kvTransfer.transferBackend: has no effect: it counts with engine: sglang only
info spec.kvTransfer.bootstrapPort: has no effect: it counts with connectors sglang and mooncake only`},
		{"simulator with accelerators", `
model: {name: m}
server: {engine: simulator, accelerator: {type: cpu}}
decode: {accelerator: {count: 1}}`, `
spec.server.accelerator: the simulator uses no accelerator; remove the section, or set spec.server.engine: vllm
spec.decode.accelerator: the simulator uses no accelerator; remove the section, or set spec.server.engine: vllm`},
		{"simulator over nodes", `
model: {name: m}
server: {engine: simulator}
decode: {parallelism: {nodes: 2, data: 2}}`, `spec.decode.parallelism.nodes: must be 1 with the simulator, which runs in one pod (got 2)`},
		{"custom without command", `
model: {name: m}
server: {launch: custom}`, `spec.decode.command: is required with spec.server.launch: custom, here or as spec.server.command`},
		{"command without custom", `
model: {name: m}
server: {command: [a]}
decode: {command: [b]}`, `
spec.server.command: needs launch: custom (launch is serve)
spec.decode.command: needs spec.server.launch: custom (launch is serve)`},
		{"sidecar on the server's port", `
model: {name: m}
prefill: {}
server: {port: 8200}`, `spec.server.sidecarTargetPort: 8200 is taken in the decode pods: spec.server.port has 8200`},
		{"sidecar among the ranks' ports", `
model: {name: m}
prefill: {}
server: {sidecarTargetPort: 8004}
decode: {parallelism: {data: 8, expert: true}}`, `spec.server.sidecarTargetPort: 8004 is taken in the decode pods: spec.server.port has 8000 to 8007`},
		{"side channel on the server's port", `
model: {name: m}
prefill: {}
kvTransfer: {sideChannelPort: 8200}`, `spec.kvTransfer.sideChannelPort: 8200 is taken in the decode pods: spec.server.sidecarTargetPort has 8200`},
		{"replay on the port of the events", `
model: {name: m}
scheduler: {preset: precise-prefix}
kvCache: {events: {replayPort: 5556}}`, `spec.kvCache.events.replayPort: 5556 is taken in the decode pods: spec.kvCache.events.port has 5556`},
		{"events of ranks", `
model: {name: m}
decode: {parallelism: {data: 4, expert: true}}
kvCache: {blockSize: 64, events: {replayPort: 5559}}
scheduler: {config: {dataLayer: {sources: [{pluginRef: endpoint-notification-source, extractors: [{pluginRef: precise-prefix-cache-producer}]}]}, plugins: [{type: endpoint-notification-source}, {type: precise-prefix-cache-producer, parameters: {tokenProcessorConfig: {blockSizeTokens: 64, hashSeed: "42"}, kvEventsConfig: {podDiscoveryConfig: {socketPort: 5556, replaySocketPort: 5559}}}}]}}`, `spec.kvCache.events.replayPort: 5559 is taken in the decode pods: spec.kvCache.events.port has 5556 to 5559`},
		{"no room for ranks", `
model: {name: m}
server: {port: 65535}
decode: {parallelism: {data: 2, expert: true}}`, `spec.server.port: must leave room for 3 ports up to 65535 (got 65535)`},
		{"two Services of one name", `
model: {name: m}
server: {service: {enabled: true, name: demo-decode}}
decode: {service: {}}`, `spec.server.service.name: must not be demo-decode: spec.decode.service has that name`},
		{"a Service named as a variant's LeaderWorkerSet", `
model: {name: m}
server: {service: {enabled: true, name: other-a}}
decode: {service: {name: demo-decode-b}, parallelism: {nodes: 2, data: 2, expert: true}, variants: [{name: a}, {name: b}]}
prefill: {name: other, variants: [{name: a, parallelism: {nodes: 2, data: 2, expert: true}}]}`, `
spec.server.service.name: must not be other-a: the LeaderWorkerSet of spec.prefill.variants[0] has a Service of that name
spec.decode.service.name: must not be demo-decode-b: the LeaderWorkerSet of spec.decode.variants[1] has a Service of that name`},
		{"a Service of a role with variants", `
model: {name: m}
server: {service: {enabled: true, name: demo-decode}}
decode: {service: {}, variants: [{name: a, parallelism: {nodes: 2, data: 2, expert: true}}]}`, `spec.server.service.name: must not be demo-decode: spec.decode.service has that name`},
		{"a LeaderWorkerSet named as the workers of another", `
model: {name: m}
decode: {name: a, parallelism: {nodes: 2, data: 2, expert: true}}
prefill: {name: a-1, parallelism: {nodes: 2, data: 2, expert: true}}`, `spec.prefill.name: makes a LeaderWorkerSet a-1, and that is the name of the workers' StatefulSet in group 1 of spec.decode; choose a name that does not end in a number`},
		{"variants named as the workers of others", `
model: {name: m}
decode: {parallelism: {nodes: 2, data: 2, expert: true}, variants: [{name: a-0}, {name: a, replicas: 3}, {name: a-00}, {name: a-99}, {name: a-4, parallelism: {}}]}
pool: {}`, `spec.decode.variants[0].name: makes a LeaderWorkerSet demo-decode-a-0, and that is the name of the workers' StatefulSet in group 0 of spec.decode.variants[1]; choose a name that does not end in a number`},
		{"a pool's name too long for Istio", `
model: {name: m}
pool: {name: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa}
gateway: {class: istio}`, `warning spec.pool.name: makes the name of an InferencePool of 51 characters; Istio's Service for it gets 12 more and has at most 63: newer versions cut the name, older ones make none. Use at most 50, by spec.pool.name`},
		{"a pool's name that another gateway takes", `
model: {name: m}
pool: {name: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa}
gateway: {class: agentgateway}`, ``},
		{"a Service named as the LeaderWorkerSet", `
model: {name: m}
decode: {service: {}, parallelism: {nodes: 2, data: 2, expert: true}}`, `spec.decode.service.name: must not be demo-decode: the LeaderWorkerSet of spec.decode has a Service of that name`},

		{"data is not dataLocal times nodes", `
model: {name: m}
decode: {parallelism: {data: 12, dataLocal: 8, nodes: 2, expert: true}}`, `spec.decode.parallelism.data: must be dataLocal × nodes, 8 × 2 = 16 (got 12)`},
		{"data does not divide", `
model: {name: m}
decode: {parallelism: {data: 3, nodes: 2, expert: true}}`, `spec.decode.parallelism.data: must be a multiple of nodes, 2 (got 3)`},
		{"more accelerators than nodes have", `
model: {name: m}
decode: {parallelism: {tensor: 32}}
prefill: {parallelism: {tensor: 16}}`, `warning spec.decode.parallelism: makes 32 accelerators in a pod, and nodes have 8, or 16 at most: the pods stay Pending; spread the server by nodes`},
		{"transfer settings", `
model: {name: m}
kvTransfer: {config: {kv_connector: MultiConnector, kv_role: kv_both, kv_load_failure_policy: retry, kv_buffer_size: "1e9"}}`, `
spec.kvTransfer.config: MultiConnector has no connectors; list them in kv_connector_extra_config.connectors
spec.kvTransfer.config: kv_load_failure_policy is retry; it must be fail or recompute`},
		{"shares of a GPU", `
model: {name: m}
decode: {autoscaling: {max: 2, metrics: [{type: Resource, resource: {name: nvidia.com/gpu, target: {type: Utilization, averageUtilization: 50}}}]}}`, `spec.decode.autoscaling.metrics[0]: follows the use of nvidia.com/gpu, and Kubernetes measures cpu and memory only; follow a metric of type Pods, Object or External`},
		{"more ranks than ports", `
model: {name: m}
decode: {parallelism: {data: 16, expert: true}}`, `spec.decode.parallelism.data: makes 16 ranks on one node, and an InferencePool has at most 8 ports; spread them over more nodes`},
		{"tensor does not divide", `
model: {name: m}
decode: {parallelism: {tensor: 3, nodes: 2}}`, `spec.decode.parallelism.nodes: must divide tensor × pipeline, 3 × 1 = 3 (got 2); for copies of the model on the nodes set data`},
		{"one copy over nodes on 0.4", `
model: {name: m}
release: "0.4"
scheduler: {image: mirror/epp:1}
decode: {parallelism: {tensor: 4, nodes: 2}}`, `spec.decode.parallelism.nodes: spreads one copy of the model over nodes, which the vLLM of release 0.4 cannot do without Ray; set data for copies on the nodes, or move to a later release`},
		{"ranks over nodes by the image's entrypoint", `
model: {name: m}
server: {launch: image}
decode: {parallelism: {data: 4, nodes: 2, expert: true}}`, `spec.decode.parallelism.nodes: needs spec.server.launch: serve, since the first rank of a node is worked out at start`},
		{"a dense model over nodes", `
model: {name: m}
decode: {parallelism: {data: 4, nodes: 2}}`, `warning spec.decode.parallelism.nodes: vLLM spreads ranks over nodes for mixture-of-experts models only, usually with expert: true; a dense model needs replicas instead`},
		{"events of several ranks", `
model: {name: m}
scheduler: {preset: precise-prefix}
decode: {parallelism: {data: 2}}`, `spec.decode.parallelism.data: must be 1 with the precise-prefix preset: the events of several ranks cannot be told apart; use the prefix-aware preset, or more replicas`},
		{"different ports on 0.4", `
model: {name: m}
release: "0.4"
server: {engine: simulator}
decode: {parallelism: {data: 2}}
prefill: {}`, `spec.prefill.parallelism.data: makes 1 ports on a pod, and decode makes 2; the EPP of release 0.4 needs as many on both`},

		{"TPU without a slice", `
model: {name: m}
server: {accelerator: {type: google-tpu}}`, `spec.server.accelerator.tpu: is required for google-tpu: GKE picks the nodes by accelerator and topology`},
		{"a slice for another vendor", `
model: {name: m}
server: {accelerator: {tpu: {accelerator: a, topology: 2x2}}}`, `spec.server.accelerator.tpu: goes with type: google-tpu only (type is nvidia)`},
		{"too few chips", `
model: {name: m}
server: {accelerator: {type: google-tpu, tpu: {accelerator: a, topology: 2x2}}}
decode: {parallelism: {tensor: 16}}`, `spec.server.accelerator.tpu.topology: gives a pod 4 accelerators, and spec.decode.parallelism needs at least 8`},
		{"claim and extended resource", `
model: {name: m}
server: {accelerator: {resourceName: example.com/gpu, dra: {}}}`, `spec.server.accelerator.resourceName: cannot be combined with dra: the devices come by claim or by extended resource, not by both`},
		{"a made and an existing template", `
model: {name: m}
server: {accelerator: {dra: {claimTemplateName: t, deviceClassName: c}}}`, `spec.server.accelerator.dra.claimTemplateName: names a template that already exists; deviceClassName and selectors belong into that one`},
		{"accelerators of a cpu server", `
model: {name: m}
server: {accelerator: {type: cpu, count: 1, resourceName: a/b, dra: {}}}`, `
spec.server.accelerator.count: goes with an accelerator; type: cpu uses none
spec.server.accelerator.resourceName: cannot be combined with dra: the devices come by claim or by extended resource, not by both
spec.server.accelerator.resourceName: goes with an accelerator; type: cpu uses none
spec.server.accelerator.dra: goes with an accelerator; type: cpu uses none`},
		{"fewer accelerators than tensor parallelism", `
model: {name: m}
decode: {parallelism: {tensor: 4}, accelerator: {count: 2}}`, `spec.decode.accelerator.count: gives a pod 2 accelerators, and spec.decode.parallelism needs at least 4`},

		{"a claim without size", `
model: {name: m, storage: {type: pvc}}`, `spec.model.storage.size: is required for the claim that is made; or name one that exists by existingClaim`},
		{"an existing claim with a size", `
model: {name: m, storage: {type: pvc, existingClaim: c, size: 1Gi, accessMode: ReadWriteOnce}}`, `
spec.model.storage.size: belongs to a claim that is made, and existingClaim names one that already exists
spec.model.storage.accessMode: belongs to a claim that is made, and existingClaim names one that already exists`},
		{"claim fields of an emptyDir", `
model: {name: m, storage: {existingClaim: c, readOnly: true}}`, `
spec.model.storage.existingClaim: needs type: pvc
spec.model.storage.readOnly: needs type: pvc: an emptyDir that cannot be written stays empty`},
		{"a source with a volume of its own", `
model: {name: m, source: pvc://c/p, storage: {type: pvc, size: 1Gi}}`, `
spec.model.storage.type: has no effect: the source pvc:// brings its own volume
spec.model.storage.size: has no effect: the source pvc:// brings its own volume`},
		{"a source without a claim", `
model: {name: m, source: pvc://C/p}`, `spec.model.source: must name a PersistentVolumeClaim after pvc:// (got "C")`},
		{"a source that leaves the claim", `
model: {name: m, source: pvc://c/../p}`, `spec.model.source: must not lead out of the claim with ..`},
		{"a cache without a model", `
model: {name: m, source: pvc+hf://c/m}`, `spec.model.source: must end with the model's organisation and name: pvc+hf://claim/path/organisation/model`},
		{"weights for the simulator", `
model: {name: m, storage: {type: pvc, size: 1Gi}}
server: {engine: simulator}`, `info spec.model.storage.type: the simulator loads no weights; no volume is made and none is mounted`},

		{"generated arguments", `
model: {name: m}
server: {args: [--port=1, --served-model-name, x, --max-model-len=1]}
decode: {args: [--tensor_parallel_size=2, -dp=2], parallelism: {}}
prefill: {args: ["--kv-transfer-config={}"]}`, `
spec.server.args[0]: --port is generated from spec.server.port; set that instead
spec.server.args[1]: --served-model-name is generated from spec.model.servedNames; set that instead
spec.decode.args[0]: --tensor-parallel-size is generated from spec.decode.parallelism.tensor; set that instead
spec.decode.args[1]: --data-parallel-size is generated from spec.decode.parallelism.data; set that instead
spec.prefill.args[0]: --kv-transfer-config is generated from spec.kvTransfer.config; set that instead`},
		{"generated arguments of the simulator", `
model: {name: m}
server: {engine: simulator, args: [--model=x, --v=4, --time-to-first-token=1s], simulator: {verbosity: 2}}`, `
spec.server.args[0]: --model is generated from spec.model.name; set that instead
spec.server.args[1]: --v is generated from spec.server.simulator.verbosity; set that instead`},
		{"generated variables", `
model: {name: m, tokenSecret: {name: s}}
server: {env: [{name: HF_TOKEN, value: x}, {name: HF_HOME, value: /x}]}
prefill: {env: [{name: VLLM_NIXL_SIDE_CHANNEL_PORT, value: "1"}]}`, `
spec.server.env[0]: HF_TOKEN is generated from spec.model.tokenSecret; set that instead
spec.server.env[0].value: HF_TOKEN would be in clear for all who read this file or the pod; put it into a Secret, and write valueFrom: {secretKeyRef: {name: <secret>, key: <key>}}
spec.server.env[1]: HF_HOME is generated from spec.model.storage.mountPath; set that instead
spec.prefill.env[0]: VLLM_NIXL_SIDE_CHANNEL_PORT is generated from spec.kvTransfer.sideChannelPort; set that instead`},
		{"labels of the stack", `
model: {name: m}
pool: {selector: {app: x}}
decode: {podLabels: {llm-d.ai/role: both, app: z}}`, `
spec.decode.podLabels[llm-d.ai/role]: is set by the stack, and selectors rely on it
spec.decode.podLabels.app: must be "x", as spec.pool.selector says, or be left out (got "z")`},
		{"labels of workloads", `
model: {name: m}
delivery: {syncWaves: true}
server: {labels: {app.kubernetes.io/name: x, team: a}}
decode: {annotations: {inferstack.dev/x: a, argocd.argoproj.io/sync-wave: "3"}}
scheduler: {labels: {app.kubernetes.io/instance: x}}`, `
spec.server.labels[app.kubernetes.io/name]: is written by inferstack itself; use a label of your own
spec.decode.annotations[inferstack.dev/x]: is written by inferstack itself; use an annotation of your own
spec.decode.annotations[argocd.argoproj.io/sync-wave]: is written by spec.delivery.syncWaves; set that to false to write your own
spec.scheduler.labels[app.kubernetes.io/instance]: is written by inferstack itself; use a label of your own`},
		{"a queue", `
model: {name: m}
server: {labels: {kueue.x-k8s.io/queue-name: q}, podLabels: {kueue.x-k8s.io/queue-name: q}}
decode: {annotations: {leaderworkerset.sigs.k8s.io/exclusive-topology: rack}, parallelism: {tensor: 16, nodes: 2}}`, ``},
		{"a queue of pods", `
model: {name: m}
decode: {podLabels: {kueue.x-k8s.io/queue-name: q}, annotations: {leaderworkerset.sigs.k8s.io/exclusive-topology: rack}}`, `
warning spec.decode.podLabels[kueue.x-k8s.io/queue-name]: stands on the pods alone, where Kueue queues each by itself and only with its integration for pods; write it as spec.decode.labels[kueue.x-k8s.io/queue-name], which admits the workload
warning spec.decode.annotations[leaderworkerset.sigs.k8s.io/exclusive-topology]: has no effect on the Deployment of spec.decode: a LeaderWorkerSet, of several nodes for each server, reads it`},
		{"volumes and mounts", `
model: {name: m}
server:
  volumes: [{name: shm}, {name: a}]
  volumeMounts: [{name: a, mountPath: /dev/shm}, {name: b, mountPath: /b}]
decode:
  volumes: [{name: a}]`, `
spec.server.volumes[0].name: "shm" is the name of another volume of the decode pods
spec.server.volumeMounts[0].mountPath: /dev/shm is taken by spec.server.sharedMemory
spec.server.volumeMounts[1].name: there is no volume "b"; add it to spec.server.volumes or spec.decode.volumes
spec.decode.volumes[0].name: "a" is the name of another volume of the decode pods`},
		{"containers", `
model: {name: m}
prefill: {}
server: {containers: [{name: modelserver, image: i}]}
decode: {initContainers: [{name: routing-proxy, image: i}]}`, `
spec.server.containers[0].name: "modelserver" is the name of the model server
spec.decode.initContainers[0].name: "routing-proxy" is the name of the routing sidecar`},
		{"patches", `
model: {name: m}
server: {podTemplatePatch: {spec: {hostNetwerk: true}}}
decode: {podTemplatePatch: {metadata: {labels: {llm-d.ai/role: x}}, spec: {containers: [{name: modelserver, $patch: delete}, {name: vllm, tty: true}]}}}
prefill: {podTemplatePatch: {spec: {containers: [{image: i}]}}}`, `
spec.server.podTemplatePatch: does not fit a pod template: unknown field "spec.hostNetwerk"
spec.decode.podTemplatePatch: must not change the label llm-d.ai/role, on which selectors rely
spec.decode.podTemplatePatch: must not remove the container modelserver
spec.decode.podTemplatePatch: adds a container "vllm" without an image; the ones to change are modelserver, routing-proxy
spec.prefill.podTemplatePatch: cannot be merged: an entry lacks its name: map[image:i]`},
		{"a patch that fits", `
model: {name: m}
decode: {podTemplatePatch: {spec: {hostname: x, containers: [{name: modelserver, tty: true}, {name: new, image: i}]}}}`, ``},

		{"transfer without prefill", `
model: {name: m}
kvTransfer: {sideChannelPort: 5601}`, `warning spec.kvTransfer: has no effect without a prefill section`},
		{"shared storage without a place", `
model: {name: m}
prefill: {}
kvTransfer: {connector: shared-storage}`, `spec.kvTransfer.config: is required with connector: shared-storage: name vLLM's connector and its path here, and mount the storage by spec.server.volumes and volumeMounts`},
		{"two transfer configurations", `
model: {name: m}
kvTransfer: {config: {kv_connector: NixlConnector, kv_role: kv_both}}
kvCache: {offload: {cpuMemory: 1Gi}}`, `spec.kvCache.offload: cannot be combined with spec.kvTransfer.config, which is the whole configuration; write the OffloadingConnector there`},

		{"triggers", `
model: {name: m}
decode: {autoscaling: {type: keda, max: 2, triggers: [{type: kafka, metadata: {start: 1, end: "2"}}, {a: 1}, {type: kafka, metadata: {start: a}}]}}`, `
spec.decode.autoscaling.triggers[0].metadata.start: must be a string; quote it
spec.decode.autoscaling.triggers[1].metadata: is required: the settings of the scaler, all strings
spec.decode.autoscaling.triggers[1].type: is required: the name of a KEDA scaler, such as prometheus
spec.decode.autoscaling.triggers[1].a: unknown field; known here: type, name, useCachedMetrics, metadata, authenticationRef, metricType`},
		{"autoscaling bounds", `
model: {name: m}
monitoring: {}
decode: {replicas: 2, autoscaling: {min: 0, max: 1, targetRunningRequests: 1}}
prefill: {autoscaling: {min: 3, max: 2, targetQueueSize: 1}}`, `
warning spec.decode.replicas: is not written when autoscaling is set; autoscaling.min and max bound the number
spec.decode.autoscaling.min: must be at least 1 with type: hpa; type: keda can scale to 0
spec.prefill.autoscaling.min: must not be above max, 2 (got 3)`},
		{"nothing to scale by", `
model: {name: m}
decode: {autoscaling: {max: 2}}
prefill: {autoscaling: {type: keda, max: 2}}`, `
spec.decode.autoscaling: has nothing to scale by; set targetRunningRequests, targetQueueSize, targetCPUUtilization, wva or metrics
spec.prefill.autoscaling: has nothing to scale by; set targetRunningRequests, targetQueueSize, targetCPUUtilization, wva or triggers`},
		{"KEDA without Prometheus", `
model: {name: m}
monitoring: {}
decode: {autoscaling: {type: keda, max: 2, targetRunningRequests: 1}}`, `spec.decode.autoscaling.prometheusAddress: is required for the EPP's metrics with type: keda`},
		{"the EPP's metrics without a monitor", `
model: {name: m}
monitoring: {serviceMonitor: false}
decode: {autoscaling: {max: 2, targetRunningRequests: 1}}`, `spec.decode.autoscaling.targetRunningRequests: is found by the label that the EPP's ServiceMonitor writes; add spec.monitoring, or write metrics of your own`},
		{"metrics of the other kind", `
model: {name: m}
decode: {autoscaling: {max: 2, triggers: [{type: cron}]}}
prefill: {autoscaling: {type: keda, max: 2, metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 50}}}]}}`, `
spec.decode.autoscaling.triggers: go with type: keda; a HorizontalPodAutoscaler has metrics
spec.prefill.autoscaling.metrics: go with type: hpa; a ScaledObject has triggers`},
		{"CPU that is not requested", `
model: {name: m}
decode: {autoscaling: {max: 2, targetCPUUtilization: 80}}`, `spec.decode.autoscaling.targetCPUUtilization: is a share of what the container requests; set spec.decode.resources.requests.cpu`},
		{"a queue without flow control", `
model: {name: m}
monitoring: {}
scheduler: {config: {plugins: []}}
decode: {autoscaling: {max: 2, targetQueueSize: 8}}`, `spec.scheduler.config: needs featureGates: [flowControl], since spec.decode.autoscaling.targetQueueSize measures the queue of flow control`},
		{"metrics of an EPP that is not there", `
model: {name: m}
scheduler: {enabled: false}
decode: {autoscaling: {max: 2, targetRunningRequests: 8}}`, `spec.decode.autoscaling.targetRunningRequests: is measured by the EPP, and spec.scheduler.enabled is false`},
		{"running requests of prefill alone", `
model: {name: m}
monitoring: {}
prefill: {autoscaling: {max: 2, targetRunningRequests: 1}}`, `spec.prefill.autoscaling.targetRunningRequests: counts the requests of the whole stack, most of which are in decode; scale prefill by targetCPUUtilization or by metrics on the prefill pods' own metrics`},
		{"TLS that nothing else speaks", `
model: {name: m}
prefill: {}
kvTransfer: {sidecar: {secureProxy: true}}`, `spec.kvTransfer.sidecar.secureProxy: must be false, as spec.server.certSecret says: gateways, monitors and Services speak the same to all servers of a stack; leave it out`},
		{"plain HTTP among TLS", `
model: {name: m}
server: {certSecret: tls}
prefill: {}
kvTransfer: {sidecar: {secureProxy: false}}`, `spec.kvTransfer.sidecar.secureProxy: must be true, as spec.server.certSecret says: gateways, monitors and Services speak the same to all servers of a stack; leave it out`},
		{"tokens of experts that are not spread", `
model: {name: m}
decode: {parallelism: {data: 2, all2allBackend: deepep_v2}}`, `spec.decode.parallelism.all2allBackend: needs parallelism.expert: true; without it no tokens are exchanged`},
		{"an exchange of tokens without ranks", `
model: {name: m}
decode: {parallelism: {expert: true, tensor: 2, all2allBackend: deepep_low_latency}}`, `warning spec.decode.parallelism.all2allBackend: has no effect with parallelism.data: 1: tokens are exchanged between data-parallel ranks`},
		{"AMD's exchange on NVIDIA", `
model: {name: m}
decode: {parallelism: {data: 2, expert: true, all2allBackend: mori_low_latency}}`, `spec.decode.parallelism.all2allBackend: mori_low_latency does not work on nvidia; it does on amd`},
		{"NVIDIA's exchange on AMD", `
model: {name: m}
server: {accelerator: {type: amd}}
decode: {parallelism: {data: 2, expert: true, all2allBackend: flashinfer_nvlink_one_sided}}`, `spec.decode.parallelism.all2allBackend: flashinfer_nvlink_one_sided does not work on amd; it does on nvidia`},
		{"an exchange on an accelerator without", `
model: {name: m}
server: {accelerator: {type: intel-gaudi}}
decode: {parallelism: {data: 2, expert: true, all2allBackend: allgather_reducescatter}}`, `spec.decode.parallelism.all2allBackend: allgather_reducescatter does not work on intel-gaudi; it does on nvidia, amd, intel-xpu`},
		{"an exchange that the published image lacks", `
model: {name: m}
server: {accelerator: {type: amd}, image: "vllm/vllm-openai-rocm:v0.29.0"}
decode: {parallelism: {data: 2, expert: true, all2allBackend: deepep_low_latency}}`, `warning spec.decode.parallelism.all2allBackend: needs a library that vllm/vllm-openai-rocm:v0.29.0 does not have; name an image that has it`},
		{"an exchange of an image of one's own", `
model: {name: m}
server: {accelerator: {type: amd}, image: "mine/rocm:v1"}
decode: {parallelism: {data: 2, expert: true, all2allBackend: deepep_low_latency}}`, ``},
		{"an exchange of older images", `
model: {name: m}
server: {accelerator: {type: amd}, image: "vllm/vllm-openai-rocm:v0.29.0"}
decode: {parallelism: {data: 2, expert: true, all2allBackend: mori}}`, `spec.decode.parallelism.all2allBackend: mori is no value of the vLLM of vllm/vllm-openai-rocm:v0.29.0: it was one from 0.15 on, before 0.29`},
		{"an exchange of later images", `
model: {name: m}
server: {accelerator: {type: amd}, image: "vllm/vllm-openai-rocm:v0.18.0"}
decode: {parallelism: {data: 2, expert: true, all2allBackend: mori_low_latency}}`, `spec.decode.parallelism.all2allBackend: mori_low_latency is no value of the vLLM of vllm/vllm-openai-rocm:v0.18.0: it came with 0.21`},
		{"adapters of a section that another takes the place of", `
model: {name: m}
server: {accelerator: {rdma: {capabilities: []}}}
decode: {variants: [{name: a, accelerator: {nodeLabel: {key: k, values: [a]}}}, {name: b}]}
prefill: {accelerator: {count: 1}}`, `
warning spec.server.accelerator.rdma: does not count for spec.decode.variants[0].accelerator, which takes the place of this section as a whole; write rdma there too, or move this one to the roles that use it
warning spec.server.accelerator.rdma: does not count for spec.prefill.accelerator, which takes the place of this section as a whole; write rdma there too, or move this one to the roles that use it`},
		{"adapters of a role whose variants have sections of their own", `
model: {name: m}
decode: {accelerator: {rdma: {capabilities: []}}, variants: [{name: a, accelerator: {count: 1}}]}`, `warning spec.decode.accelerator.rdma: has no effect: every role and variant has an accelerator section of its own, which takes the place of this one as a whole; write rdma there`},
		{"adapters that reach no server", `
model: {name: m}
server: {accelerator: {rdma: {capabilities: []}}}
decode: {accelerator: {count: 1}}`, `warning spec.server.accelerator.rdma: has no effect: every role and variant has an accelerator section of its own, which takes the place of this one as a whole; write rdma there`},
		{"adapters where there are none", `
model: {name: m}
server: {accelerator: {type: cpu, rdma: {capabilities: []}}}`, `spec.server.accelerator.rdma: is for accelerators, whose memory the adapters read; type is cpu`},
		{"adapters beside TPUs", `
model: {name: m}
server: {accelerator: {type: google-tpu, tpu: {accelerator: a, topology: 1x1}, rdma: {capabilities: []}}}`, `spec.server.accelerator.rdma: cannot be used on google-tpu, whose chips have a network of their own`},
		{"NVIDIA's copies on AMD", `
model: {name: m}
server: {accelerator: {type: amd, rdma: {capabilities: [], gdrCopy: true}}}`, `spec.server.accelerator.rdma.gdrCopy: is NVIDIA's, and type is amd`},
		{"adapters that are the accelerators, and twice", `
model: {name: m}
server: {accelerator: {rdma: {resourceName: nvidia.com/gpu, capabilities: [IPC_LOCK, IPC_LOCK], hcas: [a, b, a]}}}`, `
spec.server.accelerator.rdma.resourceName: nvidia.com/gpu is that of the accelerators; name the one of the network adapters' device plugin, such as rdma/ib
spec.server.accelerator.rdma.capabilities[1]: IPC_LOCK is item 0 too
spec.server.accelerator.rdma.hcas[2]: a is item 0 too`},
		{"predictors of one's own beside those of the stack", `
model: {name: m}
scheduler: {preset: predicted-latency, latencyPredictor: {}, env: [{name: A, value: b}, {name: PREDICTION_SERVER_URL, value: "http://p:8001"}]}`, `spec.scheduler.env[1]: PREDICTION_SERVER_URL is generated from spec.scheduler.latencyPredictor; leave one of them out`},
		{"adapters and the user of the platform", `
model: {name: m}
security: {platformIDs: true}
server: {accelerator: {rdma: {}}}`, `spec.server.accelerator.rdma.capabilities: need root (got IPC_LOCK), and spec.security.platformIDs leaves the user to the platform; write [] where the runtime does not limit locked memory, or set the user by podTemplatePatch`},
		{"adapters without root", `
model: {name: m}
server: {accelerator: {rdma: {capabilities: []}}}`, ``},
		{"TLS of an engine without", `
model: {name: m}
server: {engine: trtllm, certSecret: tls}`, `spec.server.certSecret: cannot be used with TensorRT-LLM, which serves plain HTTP only; let the mesh encrypt`},
		{"TLS of servers made elsewhere", `
model: {name: m}
server: {create: false, certSecret: tls}
pool: {selector: {a: b}}`, `spec.server.certSecret: is for servers that are made here, and spec.server.create is false`},
		{"TLS of a command of one's own", `
model: {name: m}
server: {launch: custom, command: [vllm, serve, m], certSecret: tls}`, `warning spec.server.certSecret: is mounted at /etc/server/tls, and the command of the decode servers does not name a file there`},
		{"TLS behind classes that cannot", `
model: {name: m}
server: {certSecret: tls}
gateway: {class: kgateway}
extraGateways: [{class: gke, name: other}]`, `
spec.server.certSecret: cannot be used with spec.gateway.class: kgateway: kgateway's policies for TLS take Services and not InferencePools; use route.backend: service
spec.server.certSecret: cannot be used with spec.extraGateways[0].class: gke: the appProtocol of an InferencePool is http or kubernetes.io/h2c, and no policy of GKE says otherwise`},
		{"TLS and a configuration that asks by HTTP", `
model: {name: m}
server: {certSecret: tls}
scheduler: {config: {plugins: [{type: queue-scorer}, {type: max-score-picker}, {type: single-profile-handler}], schedulingProfiles: [{name: default, plugins: [{pluginRef: queue-scorer}, {pluginRef: max-score-picker}]}]}}`, `spec.scheduler.config: has no plugin metrics-data-source with scheme: https, so the EPP would ask the servers for their metrics by plain HTTP, which they do not speak with spec.server.certSecret`},
		{"NIXL on an accelerator without it", `
model: {name: m}
prefill: {accelerator: {type: intel-gaudi}}`, `spec.kvTransfer.config: is required for spec.prefill on intel-gaudi: NixlConnector is proven on nvidia, amd, intel-xpu only; write the --kv-transfer-config that the image knows`},
		{"NIXL on the CPU", `
model: {name: m}
server: {accelerator: {type: cpu}}
prefill: {image: "mine/vllm:1"}`, `spec.kvTransfer.config: is required for spec.decode on cpu: NixlConnector is proven on nvidia, amd, intel-xpu only; write the --kv-transfer-config that the image knows`},
		{"NIXL of an image of one's own", `
model: {name: m}
server: {accelerator: {type: cpu}, image: "mine/vllm:1"}
prefill: {}`, ``},
		{"a configuration for such an accelerator", `
model: {name: m}
server: {accelerator: {type: google-tpu, tpu: {accelerator: a, topology: 2x2}}}
kvTransfer: {config: {kv_connector: TPUConnector, kv_role: kv_both}}
prefill: {}`, ``},
		{"prefill without an EPP", `
model: {name: m}
scheduler: {enabled: false}
prefill: {}`, `warning spec.prefill: stands idle unless an EPP from elsewhere picks the prefill server of each request: set scheduler.enabled: true, or remove the section`},
		{"a new claim that nothing can fill", `
model: {name: m, storage: {type: pvc, size: 1Gi, readOnly: true}}`, `spec.model.storage.readOnly: needs existingClaim: the claim that is made is empty, and nothing could fill it`},
		{"an existing claim is read", `
model: {name: m, storage: {type: pvc, existingClaim: c, readOnly: true}}`, ``},
		{"more accelerators than a node has", `
model: {name: m}
decode: {parallelism: {tensor: 16, pipeline: 8}}`, `spec.decode.parallelism.tensor: makes 128 accelerators in a pod, with pipeline and data, and a pod has at most 64; spread the server over more nodes`},
		{"as many over two nodes", `
model: {name: m}
decode: {parallelism: {tensor: 16, pipeline: 8, nodes: 2}}`, `warning spec.decode.parallelism: makes 64 accelerators in a pod, and nodes have 8, or 16 at most: the pods stay Pending; spread the server by nodes`},
		{"a tokenizer that is not there", `
model: {name: m}
server: {engine: simulator, simulator: {dummyTokenizer: false}}`, `spec.server.simulator.dummyTokenizer: can be false only with a render service to ask: name one by spec.scheduler.tokenizer.url, or leave the field out`},
		{"a tokenizer of the user's", `
model: {name: m}
server: {engine: simulator, simulator: {dummyTokenizer: false}}
scheduler: {tokenizer: {url: "http://render:8000"}}`, ``},
		{"names too long for a label with a hash", `
model: {name: m}
decode: {name: a23456789-123456789-123456789-123456789-1234567890x, parallelism: {nodes: 2, data: 2, expert: true}}
kvCache: {redis: {name: a23456789-123456789-123456789-123456789-123456789-12x, persistence: {size: 1Gi}}}`, `
spec.decode.name: must have at most 50 characters for a LeaderWorkerSet, whose pods carry it in a label with a hash (got 51)
spec.kvCache.redis.name: must have at most 52 characters with persistence: a StatefulSet's pods carry it in a label with a hash (got 53)`},
		{"requests above limits", `
model: {name: m}
server: {resources: {requests: {cpu: 2, memory: 1Gi}, limits: {cpu: 1500m, memory: 1Gi}}}
scheduler: {containers: [{name: c, image: i, resources: {requests: {cpu: 2}, limits: {cpu: 1}}}]}`, `
spec.server.resources.requests.cpu: must not be above the limit, 1500m (got 2)
warning spec.server.resources.limits.memory: is not above spec.server.sharedMemory, 8Gi, which counts against it: a decode server that uses it all is killed (got 1Gi)
spec.scheduler.containers[0].resources.requests.cpu: must not be above the limit, 1 (got 2)`},
		{"another number of accelerators", `
model: {name: m}
decode: {parallelism: {tensor: 2}, resources: {limits: {nvidia.com/gpu: 1}}}
prefill: {resources: {limits: {nvidia.com/gpu: 1}}}`, `spec.decode.resources.limits[nvidia.com/gpu]: must be 2, the accelerators of a decode pod, or be left out; accelerator.count sets another number (got 1)`},
		{"ports of further containers", `
model: {name: m}
server: {containers: [{name: c, image: i, ports: [{containerPort: 8000}, {containerPort: 1, name: http}]}]}`, `
spec.server.containers[0].ports[0].containerPort: 8000 is taken in the decode pods: spec.server.port has 8000
spec.server.containers[0].ports[1].name: "http" is the name of a port of the stack, which others find by it`},
		{"budgets that let nothing go", `
model: {name: m}
decode: {replicas: 2, disruptionBudget: {minAvailable: 51%}}
prefill: {disruptionBudget: {maxUnavailable: 0}}`, `
warning spec.decode.disruptionBudget.minAvailable: lets no pod go, so that no node with one can be drained (the decode servers have 2 pods)
warning spec.prefill.disruptionBudget.maxUnavailable: lets no pod go, so that no node with one can be drained`},
		{"rollouts", `
model: {name: m}
decode: {rollout: {type: Recreate, maxSurge: 1}}
prefill: {rollout: {maxSurge: 0, maxUnavailable: 0%}}`, `
spec.decode.rollout.maxSurge: goes with type: RollingUpdate
spec.prefill.rollout.maxUnavailable: must not be 0 beside maxSurge: 0, which would let no server be replaced`},
		{"rollout of groups", `
model: {name: m}
decode: {rollout: {type: Recreate}, parallelism: {nodes: 2, data: 2, expert: true}}`, `
spec.decode.rollout.type: must be RollingUpdate for servers of several nodes: a LeaderWorkerSet has nothing else`},
		{"budgets", `
model: {name: m}
decode: {disruptionBudget: {}}
prefill: {disruptionBudget: {minAvailable: 1, maxUnavailable: 50%}}`, `
spec.decode.disruptionBudget: must have minAvailable or maxUnavailable
spec.prefill.disruptionBudget: must have minAvailable or maxUnavailable, not both`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := apartFromStandards(said(t, tc.spec))
			if strings.Contains(tc.spec, `release: "0.4"`) { // its warning is tested by itself
				got = withoutLine(got, "warning spec.release: ")
			}
			if d := cmp.Diff(strings.TrimSpace(tc.want), got); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

// apartFromStandards is what was said without the warnings of the Pod Security Standards,
// which are tested by themselves.
func apartFromStandards(text string) string {
	var out []string
	for line := range strings.SplitSeq(text, "\n") {
		if !strings.Contains(line, "Pod Security Standard refuses") {
			out = append(out, line)
		}
	}
	return strings.Join(out, "\n")
}

func withoutLine(text, prefix string) string {
	var out []string
	for line := range strings.SplitSeq(text, "\n") {
		if !strings.HasPrefix(line, prefix) {
			out = append(out, line)
		}
	}
	return strings.Join(out, "\n")
}

func TestAddedContainers(t *testing.T) {
	const missing = ": required, but missing"
	for _, tc := range []struct{ spec, want string }{
		{"model: {name: m}\ndecode: {containers: [{name: log, image: a}]}", ""},
		{"model: {name: m}\ndecode: {containers: [{name: log}]}", "spec.decode.containers[0].image" + missing},
		{"model: {name: m}\ndecode: {initContainers: [{name: log, image: a}, {name: b}]}", "spec.decode.initContainers[1].image" + missing},
		{"model: {name: m}\nprefill: {containers: [{name: log}]}", "spec.prefill.containers[0].image" + missing},
		{"model: {name: m}\nserver: {containers: [{name: log}]}", "spec.server.containers[0].image" + missing},
		{"model: {name: m}\nscheduler: {containers: [{name: log}]}", "spec.scheduler.containers[0].image" + missing},
		{"model: {name: m}\ndecode: {containers: [{name: Log, image: a}]}", `spec.decode.containers[0].name: must be a DNS label: lower case letters, digits and -, with a letter or digit at both ends, at most 63 characters (got "Log")`},
		{"model: {name: m}\ndecode: {containers: [{image: a}]}", `spec.decode.containers[0].name: required, but missing`},
	} {
		if d := cmp.Diff(tc.want, apartFromStandards(said(t, tc.spec))); d != "" {
			t.Errorf("%s:\n%s", tc.spec, d)
		}
	}
}

func TestOldReleaseLineWarns(t *testing.T) {
	got := said(t, `{model: {name: m}, release: "0.4"}`)
	if !strings.HasPrefix(got, "warning spec.release: release line 0.4: ") {
		t.Error(got)
	}
	if got := said(t, `{model: {name: m}, release: "0.4", scheduler: {image: mine/epp:v0.4.0}}`); got != "" {
		t.Error("the line's EPP is not used, but:", got)
	}
}
