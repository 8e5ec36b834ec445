package manifests

import (
	"testing"

	"github.com/inferstack/inferstack/internal/long"
)

// TestOffload finds what keeps KV blocks, whoever does.
func TestOffload(t *testing.T) {
	for name, spec := range map[string]string{
		"native":   `{decode: {parallelism: {tensor: 2}}, kvCache: {offload: {cpuMemory: 10Gi, evictionPolicy: arc, blockSize: 64, secondaryTiers: [{type: ephemeral, size: 500Gi, storageClassName: nvme}, {type: pvc, existingClaim: blocks, path: a/b, mountPath: /blocks, writeThreads: 8}]}}}`,
		"roles":    `{prefill: {kvRole: kv_both, offload: {cpuMemory: 10Gi}}, decode: {kvRole: kv_both}}`,
		"lmcache":  `{decode: {parallelism: {tensor: 2}}, kvCache: {offload: {connector: lmcache, cpuMemory: 200Gi, evictionPolicy: lfu, secondaryTiers: [{size: 500Gi}]}}}`,
		"mooncake": `{decode: {parallelism: {tensor: 2}}, kvCache: {offload: {connector: mooncake, cpuMemory: 160Gi, mooncake: {masterAddress: "master.mooncake:50051", deviceName: mlx5_0}}}}`,
		"hicache":  `{server: {engine: sglang}, decode: {parallelism: {tensor: 2}}, kvCache: {offload: {cpuMemory: 400G, secondaryTiers: [{type: pvc, existingClaim: blocks}]}}}`,
	} {
		t.Run(name, func(t *testing.T) {
			long.Case(t, 3)
			t.Parallel()
			written := made(t, []byte("{apiVersion: inferstack.dev/v1alpha1, kind: InferenceStack, metadata: {name: demo, namespace: llm-d}, spec: "+spec[:1]+"model: {name: a/b}, gateway: {class: istio}, "+spec[1:]+"}"))
			if r := converted(t, written, Options{}); len(r.Stacks) != 1 || len(r.Stacks[0].Left) > 0 {
				t.Errorf("%+v", r.Stacks[0].Left)
			}
		})
	}
}
