package rules

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestRuntimeRules holds what would be accepted by a cluster and not run.
func TestRuntimeRules(t *testing.T) {
	for _, tc := range []struct{ name, spec, want string }{
		{"a vLLM without the flag for nodes", `
model: {name: m}
server: {accelerator: {type: intel-gaudi}}
decode: {parallelism: {nodes: 2, tensor: 16}}`, `spec.decode.parallelism.nodes: needs --nnodes, which the vLLM of docker.io/opea/vllm-gaudi:1.22.0 does not have; use a later image`},
		{"a vLLM without the flag for ranks on several nodes", `
model: {name: m}
server: {accelerator: {type: intel-gaudi}}
decode: {parallelism: {data: 4, nodes: 2, expert: true}}`, `spec.decode.parallelism.data: needs --data-parallel-hybrid-lb, which the vLLM of docker.io/opea/vllm-gaudi:1.22.0 does not have; use a later image`},
		{"an image of the user's own is trusted", `
model: {name: m}
server: {accelerator: {type: intel-gaudi}, image: "example.com/vllm-gaudi:2"}
decode: {parallelism: {nodes: 2, tensor: 16}}`, ``},
		{"images without a version", `
model: {name: m}
server: {image: vllm/vllm-openai}
scheduler: {image: "epp:latest"}
prefill: {image: "r.example.com:5000/vllm@sha256:0000000000000000000000000000000000000000000000000000000000000000"}`, `
warning spec.server.image: has no tag, which means latest: pods that start later may run another version; name a version or a digest
warning spec.scheduler.image: latest is another version tomorrow, and pods that start then run it; name a version or a digest`},
		{"offload where there is none", `
model: {name: m}
server: {accelerator: {type: intel-gaudi}}
kvCache: {offload: {cpuMemory: 1Gi}}`, `spec.kvCache.offload: OffloadingConnector does not work on intel-gaudi, which spec.decode uses; it does on nvidia, amd, intel-xpu. For another connector write spec.kvTransfer.config`},
		{"offload without memory", `
model: {name: m}
server: {sharedMemory: "0", resources: {limits: {memory: 64Gi}}}
kvCache: {offload: {cpuMemory: 64Gi}}`, `
spec.server.sharedMemory: must be above 64Gi: vLLM keeps the KV cache that a decode pod offloads in /dev/shm (got 0)`},
		{"offload beside the default shared memory", `
model: {name: m}
server: {resources: {limits: {memory: 70Gi}}}
kvCache: {offload: {cpuMemory: 64Gi}}`, `spec.server.resources.limits.memory: must be above 72Gi: the shared memory of a decode pod and the KV cache that it offloads are in it (got 70Gi)`},
		{"shared memory that holds the offload", `
model: {name: m}
server: {sharedMemory: 250Gi, resources: {limits: {memory: 300Gi}}}
kvCache: {offload: {cpuMemory: 100Gi}}
decode: {parallelism: {data: 2}}`, ``},
		{"shared memory too small for the ranks", `
model: {name: m}
server: {sharedMemory: 150Gi}
kvCache: {offload: {cpuMemory: 100Gi}}
decode: {parallelism: {data: 2}}`, `spec.server.sharedMemory: must be above 200Gi: vLLM keeps the KV cache that a decode pod offloads in /dev/shm (got 150Gi)`},
		{"shared memory above the limit", `
model: {name: m}
server: {sharedMemory: 64Gi}
decode: {resources: {limits: {memory: 32Gi}}}`, `warning spec.decode.resources.limits.memory: is not above spec.server.sharedMemory, 64Gi, which counts against it: a decode server that uses it all is killed (got 32Gi)`},
		{"TPUs over hosts", `
model: {name: m}
server: {accelerator: {type: google-tpu, tpu: {accelerator: a, topology: 2x4}}}
decode: {parallelism: {nodes: 2, tensor: 8}}`, `spec.decode.parallelism.nodes: must be 1 on google-tpu, whose vLLM spreads over hosts by Ray and not by the generated flags; start it by server.launch: custom (got 2)`},
		{"a slice of several TPU hosts", `
model: {name: m}
server: {accelerator: {type: google-tpu, tpu: {accelerator: tpu-v6e-slice, topology: 4x4}}}
decode: {parallelism: {tensor: 16}}`, `spec.server.accelerator.tpu.topology: gives a pod 16 chips, and a host of this kind has 8: the pod would stay Pending`},
		{"a slice of two TPU hosts with three sides", `
model: {name: m}
server: {accelerator: {type: google-tpu, tpu: {accelerator: tpu-v5p-slice, topology: 2x2x2}}}
decode: {parallelism: {tensor: 8}}`, `spec.server.accelerator.tpu.topology: gives a pod 8 chips, and a host of this kind has 4: the pod would stay Pending`},
		{"more ranks than chips", `
model: {name: m}
server: {accelerator: {type: google-tpu, tpu: {accelerator: a, topology: 2x2}}}
decode: {parallelism: {data: 8}}`, `spec.server.accelerator.tpu.topology: gives a pod 4 chips, and spec.decode.parallelism.data wants one for each of its 8 ranks`},
		{"agentgateway and kgateway speak TLS", `
model: {name: m}
scheduler: {secureServing: false}
gateway: {class: agentgateway}
extraGateways: [{class: kgateway}, {class: istio}]`, `
spec.scheduler.secureServing: must be true with gateway class agentgateway, which always speaks TLS to the EPP: every request would fail
warning spec.scheduler.secureServing: kgateway is known to speak TLS to the EPP only; leave it true`},
		{"a grace period shorter than the timeout", `
model: {name: m}
server: {terminationGracePeriodSeconds: 60, args: [--shutdown-timeout, "90"]}`, `warning spec.server.terminationGracePeriodSeconds: is over before --shutdown-timeout=90 of spec.decode, which begins after a pause of 15 s: set at least 105 (got 60)`},
		{"a pause longer than the grace period", `
model: {name: m}
server: {terminationGracePeriodSeconds: 60, lifecycle: {preStop: {sleep: {seconds: 61}}}}`, `spec.server.lifecycle.preStop.sleep.seconds: must be between 1 and terminationGracePeriodSeconds, 60 (got 61)`},
		{"rollouts that cannot be", `
model: {name: m}
decode: {parallelism: {tensor: 2}, rollout: {type: Recreate, maxSurge: 1, partition: 1}}
prefill: {parallelism: {nodes: 2, tensor: 2}, rollout: {type: Recreate}}`, `
spec.decode.rollout.maxSurge: goes with type: RollingUpdate
spec.decode.rollout.partition: goes with servers of several nodes (spec.decode.parallelism.nodes is 1), which are a LeaderWorkerSet
spec.prefill.rollout.type: must be RollingUpdate for servers of several nodes: a LeaderWorkerSet has nothing else`},
		{"a rollout that replaces nothing", `
model: {name: m}
decode: {rollout: {maxSurge: "0%", maxUnavailable: 0}}`, `spec.decode.rollout.maxUnavailable: must not be 0 beside maxSurge: 0, which would let no server be replaced`},
		{"a configuration for prefill alone", `
model: {name: m}
prefill: {}
kvTransfer: {prefillConfig: {kv_connector: NixlConnector, kv_role: kv_producer}}`, `spec.kvTransfer.prefillConfig: goes with a prefill section, and with config for the decode servers`},
		{"no servers", `
model: {name: m}
decode: {replicas: 0}`, `warning spec.decode.replicas: is 0: no server is started, and requests that need one fail`},
		{"settings of KEDA", `
model: {name: m}
decode: {autoscaling: {max: 2, targetCPUUtilization: 50, pollingSeconds: 5, modifiers: {formula: a, target: "1"}}, resources: {requests: {cpu: 1}}}`, `
spec.decode.autoscaling.pollingSeconds: goes with type: keda
spec.decode.autoscaling.modifiers: goes with type: keda`},
		{"ids of the platform and of one's own", `
model: {name: m}
security: {platformIDs: true, runAsUser: 7}`, `spec.security.runAsUser: is the platform's to choose with platformIDs: true; remove one of the two`},
		{"prefill wider than decode", `
model: {name: m}
prefill: {parallelism: {tensor: 4}}
decode: {parallelism: {tensor: 2}}`, `warning spec.prefill.parallelism.tensor: is above that of spec.decode, 2, which NIXL cannot serve for models whose KV heads are replicated (got 4)`},
		{"CORS on Istio", `
model: {name: m}
gateway: {class: istio}
route: {filters: [{type: CORS, cors: {allowOrigins: ["https://a.example"]}}]}`, `warning spec.route.filters[0].type: CORS on a route to an InferencePool turns scoring off on Istio, and prefill servers are sent plain requests; answer CORS before the gateway, or set gateway.extProc: envoyFilter`},
		{"several target ports", `
model: {name: m}
decode: {parallelism: {data: 4, expert: true}}
gateway: {class: istio, istio: {version: "1.28.1"}}
extraGateways: [{class: agentgateway}, {class: istio}]`, `
warning spec.decode.parallelism.data: is served by Istio from 1.28.2, 1.29.0 on; before, it sends to the first of a pool's target ports only, and the EPP picks among all (istio.version is 1.28.1)
warning spec.decode.parallelism.data: gives the pool several target ports, and agentgateway of kgateway 2.2 marks a pool with more than one as invalid; have one server for all ranks, or use another class`},
		{"target ports of one's own command", `
model: {name: m}
server: {launch: custom, command: [run]}
pool: {targetPorts: [8000, 8001]}
gateway: {class: agentgateway}`, `warning spec.pool.targetPorts: gives the pool several target ports, and agentgateway of kgateway 2.2 marks a pool with more than one as invalid; have one server for all ranks, or use another class`},
		{"no time for running requests", `
model: {name: m}
server: {terminationGracePeriodSeconds: 10}`, `warning spec.server.terminationGracePeriodSeconds: leaves running requests no time: a server that is being stopped is sent requests for up to 15 s more (got 10)`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if d := cmp.Diff(strings.TrimSpace(tc.want), said(t, tc.spec)); d != "" {
				t.Error(d)
			}
		})
	}
}
