package rules

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestOffload holds what keeps KV blocks to engine, release line, image, memory and volumes.
func TestOffload(t *testing.T) {
	for _, tc := range []struct{ name, spec, want string }{
		{"all tiers", `
model: {name: m}
kvCache: {offload: {cpuMemory: 10Gi, evictionPolicy: arc, blockSize: 64, secondaryTiers: [{type: ephemeral, size: 1Ti, accessMode: ReadWriteOncePod}, {type: pvc, existingClaim: a, path: b/c, readThreads: 8}]}}`, ``},
		{"a volume that evicts the pod", `
model: {name: m}
kvCache: {offload: {cpuMemory: 10Gi, secondaryTiers: [{size: 1Ti}]}}`, `warning spec.kvCache.offload.secondaryTiers[0].type: vLLM deletes no block, and the kubelet evicts a pod whose emptyDir is above its size, here 1Ti; with ephemeral or pvc a full volume only takes no more`},
		{"a tier larger than its volume", `
model: {name: m}
kvCache: {offload: {connector: lmcache, cpuMemory: 10Gi, secondaryTiers: [{size: 100Gi, capacity: 100Gi}]}}`, `spec.kvCache.offload.secondaryTiers[0].capacity: must be below the size of the volume, 100Gi (got 100Gi)`},
		{"tiers larger than the disk of the container", `
model: {name: m}
server: {resources: {limits: {ephemeral-storage: 150Gi}}}
kvCache: {offload: {connector: lmcache, cpuMemory: 10Gi, secondaryTiers: [{size: 200Gi}]}}`, `spec.server.resources.limits.ephemeral-storage: must be at least 200Gi, which the emptyDirs of spec.kvCache.offload.secondaryTiers take (got 150Gi)`},
		{"a tier smaller than the memory before it", `
model: {name: m}
decode: {parallelism: {data: 2, expert: true}}
kvCache: {offload: {cpuMemory: 100Gi, secondaryTiers: [{type: pvc, size: 200Gi}]}}`, `warning spec.kvCache.offload.secondaryTiers[0].size: is not above the host memory before it, 200Gi in a decode pod, and so keeps nothing that is not there (got 200Gi)`},
		{"more memory than the container has", `
model: {name: m}
server: {resources: {limits: {memory: 100Gi}}}
decode: {parallelism: {tensor: 2}}
kvCache: {offload: {connector: mooncake, cpuMemory: 90Gi, mooncake: {masterAddress: "m:50051", protocol: tcp}}}`, `spec.server.resources.limits.memory: must be above 106Gi: the shared memory of a decode pod and the KV cache that it offloads are in it (got 100Gi)`},
		{"fields of another volume", `
model: {name: m}
kvCache: {offload: {cpuMemory: 1Gi, secondaryTiers: [{type: ephemeral, name: a, path: b, existingClaim: c}, {type: pvc, existingClaim: a, accessMode: ReadWriteOnce, path: ../b, mountPath: /mnt/kv-cache-0, capacity: 1Gi}]}}`, `
spec.kvCache.offload.secondaryTiers[0].size: is required: nothing else says how large the volume is
spec.kvCache.offload.secondaryTiers[0].name: belongs to a claim that is made, with type: pvc and without existingClaim
spec.kvCache.offload.secondaryTiers[0].path: needs type: pvc
spec.kvCache.offload.secondaryTiers[0].existingClaim: needs type: pvc
spec.kvCache.offload.secondaryTiers[1].accessMode: belongs to a claim that is made, with type: pvc or ephemeral and without existingClaim
spec.kvCache.offload.secondaryTiers[1].path: must not lead out of the claim with ..
spec.kvCache.offload.secondaryTiers[1].mountPath: /mnt/kv-cache-0 is that of tier 0 too
spec.kvCache.offload.secondaryTiers[1].capacity: is LMCache's: vLLM keeps no count of what it writes, and stops when the volume is full`},
		{"one volume for many", `
model: {name: m}
decode: {replicas: 3}
kvCache: {offload: {cpuMemory: 1Gi, secondaryTiers: [{type: pvc, size: 1Ti, accessMode: ReadWriteOncePod}]}}`, `spec.kvCache.offload.secondaryTiers[0].accessMode: ReadWriteOncePod lets one pod have the volume, and the stack has up to 3 that need it; use ReadWriteMany`},
		{"settings of another connector", `
model: {name: m}
kvCache: {offload: {cpuMemory: 1Gi, evictionPolicy: lfu, blockSize: 24, mooncake: {masterAddress: "m:50051"}}}`, `
spec.kvCache.offload.evictionPolicy: must be one of lru, arc with connector: native (got lfu)
spec.kvCache.offload.blockSize: must be a multiple of the 16 tokens of a block (got 24)
spec.kvCache.offload.mooncake: is for connector: mooncake only (connector is native)`},
		{"settings of vLLM's own connector", `
model: {name: m}
kvCache: {offload: {connector: lmcache, cpuMemory: 1Gi, evictionPolicy: arc, blockSize: 64, secondaryTiers: [{type: pvc, size: 1Ti, readThreads: 8}, {size: 1Ti}]}}`, `
spec.kvCache.offload.evictionPolicy: must be one of lru, lfu, fifo, mru with connector: lmcache (got arc)
spec.kvCache.offload.blockSize: is for connector: native only (connector is lmcache)
spec.kvCache.offload.secondaryTiers: must have one entry; only vLLM's own connector asks several (got 2)
spec.kvCache.offload.secondaryTiers[0].type: must be emptyDir or ephemeral with connector: lmcache: each server counts and evicts only what it has written itself
spec.kvCache.offload.secondaryTiers[0].readThreads: is for vLLM's own connector only`},
		{"a store without a master", `
model: {name: m}
kvCache: {offload: {connector: mooncake, cpuMemory: 1Gi, evictionPolicy: lru, secondaryTiers: [{size: 1Ti}]}}`, `
spec.kvCache.offload.mooncake: is required with connector: mooncake: masterAddress says where the store is
spec.kvCache.offload.evictionPolicy: must be left out with connector: mooncake, whose master evicts
spec.kvCache.offload.secondaryTiers: must be left out with connector: mooncake: the store has its own storage`},
		{"an image without tiers", `
model: {name: m}
server: {image: "vllm/vllm-openai:v0.21.0"}
kvCache: {offload: {cpuMemory: 1Gi, secondaryTiers: [{type: pvc, existingClaim: a}]}}`, `spec.kvCache.offload.secondaryTiers: needs vLLM 0.22 or later, and the image of spec.decode is vllm/vllm-openai:v0.21.0`},
		{"an image without a store", `
model: {name: m}
server: {image: "vllm/vllm-openai:v0.20.0"}
kvCache: {offload: {connector: mooncake, cpuMemory: 1Gi, mooncake: {masterAddress: "m:50051", protocol: tcp}}}`, `spec.kvCache.offload.connector: needs vLLM 0.21 or later, and the image of spec.decode is vllm/vllm-openai:v0.20.0`},
		{"a line and an accelerator without them", `
release: "0.4"
model: {name: m}
kvCache: {offload: {connector: lmcache, cpuMemory: 1Gi}}`, `
warning spec.release: release line 0.4: the image ghcr.io/llm-d/llm-d-inference-scheduler was removed from its registry when the project was renamed; use a mirror of your own through scheduler.image, or move to release "0.10"
spec.kvCache.offload.connector: release 0.4 has no connector lmcache; move to a later release, or write spec.kvTransfer.config`},
		{"another accelerator", `
model: {name: m}
server: {accelerator: {type: amd}}
kvCache: {offload: {connector: lmcache, cpuMemory: 1Gi}}`, `spec.kvCache.offload: LMCacheConnectorV1 does not work on amd, which spec.decode uses; it does on nvidia. For another connector write spec.kvTransfer.config`},
		{"sections that nobody reads", `
model: {name: m}
decode: {offload: {cpuMemory: 1Gi}}
kvCache: {offload: {cpuMemory: 1Gi}}`, `info spec.kvCache.offload: has no effect: every role has an offload section of its own`},
		{"a mount and a variable that are taken", `
model: {name: m}
server: {volumes: [{name: kv-cache-0, emptyDir: {}}], volumeMounts: [{name: kv-cache-0, mountPath: /mnt/kv-cache-0}], env: [{name: PYTHONHASHSEED, value: "0"}, {name: LMCACHE_LOCAL_DISK, value: /a}]}
kvCache: {offload: {connector: lmcache, cpuMemory: 1Gi, secondaryTiers: [{size: 1Ti}]}}`, `
spec.server.volumes[0].name: "kv-cache-0" is the name of another volume of the decode pods
spec.server.volumeMounts[0].mountPath: /mnt/kv-cache-0 is taken by a tier of the KV cache
spec.server.env[0]: PYTHONHASHSEED is generated from spec.kvCache.hashSeed; set that instead
spec.server.env[1]: LMCACHE_LOCAL_DISK is generated from kvCache.offload.secondaryTiers; set that instead`},
		{"SGLang", `
model: {name: m}
server: {engine: sglang}
decode: {parallelism: {tensor: 4}}
kvCache: {offload: {connector: lmcache, cpuMemory: 2Gi, evictionPolicy: lru, secondaryTiers: [{type: pvc, size: 1Ti}, {type: pvc, existingClaim: a}]}}`, `
spec.kvCache.offload.connector: must be native with engine: sglang (got lmcache)
spec.kvCache.offload.cpuMemory: must be at least 1G for each of the 4 accelerators of a rank, which is what SGLang counts in (got 2Gi)
spec.kvCache.offload.evictionPolicy: is for vLLM only, and spec.server.engine is sglang
spec.kvCache.offload.secondaryTiers: must have one entry; only vLLM's own connector asks several (got 2)`},
		{"the simulator", `
model: {name: m}
server: {engine: simulator}
kvCache: {offload: {cpuMemory: 2Gi}}`, `spec.kvCache.offload: is for vLLM and SGLang, and spec.server.engine is simulator`},
		{"a copy of the model on several nodes", `
model: {name: m}
decode: {parallelism: {tensor: 16, nodes: 2}}
kvCache: {offload: {cpuMemory: 2Gi}}`, `spec.kvCache.offload: needs each copy of the model on one node: vLLM keeps the blocks of a copy in one file of shared memory, and its servers do not start where spec.decode spreads one over 2 nodes; use connector mooncake, or nodes: 1`},
		{"a variant on several nodes", `
model: {name: m}
decode: {variants: [{name: a}, {name: b, parallelism: {pipeline: 2, nodes: 2}, offload: {cpuMemory: 2Gi}}]}`, `spec.decode.variants[1].offload: needs each copy of the model on one node: vLLM keeps the blocks of a copy in one file of shared memory, and its servers do not start where spec.decode.variants[1] spreads one over 2 nodes; use connector mooncake, or nodes: 1`},
		{"LMCache on several nodes", `
model: {name: m}
decode: {parallelism: {tensor: 16, nodes: 2}, offload: {connector: lmcache, cpuMemory: 2Gi}}`, `warning spec.decode.offload.connector: is not known to work where spec.decode spreads a copy of the model over 2 nodes: LMCache in the servers asks for blocks by sockets of one node; try it first, or use mooncake`},
		{"copies of the model on several nodes", `
model: {name: m}
decode: {parallelism: {data: 2, nodes: 2, expert: true}}
kvCache: {offload: {cpuMemory: 2Gi}}`, ``},
		{"the whole configuration on several nodes", `
model: {name: m}
decode: {parallelism: {tensor: 16, nodes: 2}}
kvTransfer: {config: {kv_connector: MultiConnector, kv_role: kv_both, kv_connector_extra_config: {connectors: [{kv_connector: NixlConnector, kv_role: kv_both}, {kv_connector: OffloadingConnector, kv_role: kv_both}]}}}`, `warning spec.kvTransfer.config.kv_connector_extra_config.connectors[1].kv_connector: OffloadingConnector needs each copy of the model on one node: vLLM keeps the blocks of a copy in one file of shared memory, and the servers do not start where spec.decode spreads one over 2 nodes; leave it out, or use nodes: 1`},
		{"one claim in two forms", `
model: {name: m}
decode: {offload: {cpuMemory: 1Gi, secondaryTiers: [{type: pvc, name: blocks, size: 1Ti, storageClassName: fast}, {type: pvc, size: 1Ti}]}}
prefill: {offload: {cpuMemory: 1Gi, secondaryTiers: [{type: pvc, name: blocks, size: 2Ti, accessMode: ReadWriteOnce}, {type: pvc, name: demo-decode-kv-cache-1, size: 2048Gi}]}}`, `
spec.prefill.offload.secondaryTiers[0].storageClassName: must be that of spec.decode.offload.secondaryTiers[0], fast: both are the claim blocks, which is made once; give it another name (got the cluster's default)
spec.prefill.offload.secondaryTiers[0].size: must be that of spec.decode.offload.secondaryTiers[0], 1Ti: both are the claim blocks, which is made once; give it another name (got 2Ti)
spec.prefill.offload.secondaryTiers[0].accessMode: must be that of spec.decode.offload.secondaryTiers[0], ReadWriteMany: both are the claim blocks, which is made once; give it another name (got ReadWriteOnce)
spec.prefill.offload.secondaryTiers[1].size: must be that of spec.decode.offload.secondaryTiers[1], 1Ti: both are the claim demo-decode-kv-cache-1, which is made once; give it another name (got 2Ti)`},
		{"one claim of two variants", `
model: {name: m}
decode: {variants: [{name: a, offload: {cpuMemory: 1Gi, secondaryTiers: [{type: pvc, name: blocks, size: 1Ti}]}}, {name: b, offload: {cpuMemory: 1Gi, secondaryTiers: [{type: pvc, name: blocks, size: 1024Gi, accessMode: ReadWriteMany}]}}]}`, ``},
		{"sizes without a unit", `
model: {name: m}
server: {sharedMemory: "64"}
kvCache: {offload: {cpuMemory: 10, secondaryTiers: [{type: pvc, size: 20}]}}`, `
spec.server.sharedMemory: is 64 bytes, in which nothing fits: units such as Mi and Gi follow the number (got 64)
spec.kvCache.offload.cpuMemory: is 10 bytes, in which nothing fits: units such as Mi and Gi follow the number (got 10)
spec.kvCache.offload.secondaryTiers[0].size: is 20 bytes, in which nothing fits: units such as Mi and Gi follow the number (got 20)`},
		{"a store by RDMA without adapters", `
model: {name: m}
kvCache: {offload: {connector: mooncake, cpuMemory: 1Gi, mooncake: {masterAddress: "m:50051"}}}`, `warning spec.kvCache.offload.mooncake.protocol: is rdma, and the pods of spec.decode ask for no network adapter; set spec.server.accelerator.rdma, or tcp`},
		{"a store by RDMA with adapters for one variant", `
model: {name: m}
server: {resources: {limits: {nvidia.com/gpu: 1}}}
decode: {offload: {connector: mooncake, cpuMemory: 1Gi, mooncake: {masterAddress: "m:50051"}}, variants: [{name: a, resources: {limits: {rdma/ib: 1}}}, {name: b, resources: {limits: {cpu: 8}}}]}`, `warning spec.decode.offload.mooncake.protocol: is rdma, and the pods of spec.decode.variants[1] ask for no network adapter; set spec.server.accelerator.rdma, or tcp`},
		{"a store by TCP", `
model: {name: m}
kvCache: {offload: {connector: mooncake, cpuMemory: 1Gi, mooncake: {masterAddress: "m:50051", protocol: tcp}}}`, ``},
		{"roles of KV transfer", `
model: {name: m}
decode: {kvRole: kv_producer}
prefill: {kvRole: kv_consumer}`, `
spec.decode.kvRole: must be kv_consumer or kv_both: decode servers read the KV cache, and with kv_producer they only write
spec.prefill.kvRole: must be kv_producer or kv_both: prefill servers write the KV cache, and with kv_consumer they only read`},
		{"a role without a transfer", `
model: {name: m}
decode: {kvRole: kv_both}`, `info spec.decode.kvRole: has no effect without a prefill section`},
		{"a role beside the whole configuration", `
model: {name: m}
decode: {kvRole: kv_both}
prefill: {}
kvTransfer: {config: {kv_connector: NixlConnector, kv_role: kv_both}}`, `spec.decode.kvRole: cannot be combined with spec.kvTransfer.config, which is the whole configuration; write kv_role there`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if d := cmp.Diff(strings.TrimSpace(tc.want), said(t, tc.spec)); d != "" {
				t.Error(d)
			}
		})
	}
}
