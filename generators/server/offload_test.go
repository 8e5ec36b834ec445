package server

import (
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/inferstack/inferstack/generators/internal/stacktest"
)

// TestOffloadAsUpstream compares what keeps KV blocks with llm-d's guide tiered-prefix-cache and
// KServe's sample kv-cache-offloading.
func TestOffloadAsUpstream(t *testing.T) {
	for _, tc := range []struct {
		name, spec string
		args       []string
		env        map[string]string
	}{
		{"llm-d, host memory", `kvCache: {offload: {cpuMemory: 100Gi}}`,
			[]string{`--kv-transfer-config={"kv_connector":"OffloadingConnector","kv_role":"kv_both","kv_connector_extra_config":{"cpu_bytes_to_use":107374182400}}`}, nil},
		{"KServe, a disk", `kvCache: {offload: {cpuMemory: 10Gi, evictionPolicy: lru, secondaryTiers: [{size: 100Gi}]}}`,
			[]string{`--kv-transfer-config={"kv_connector":"OffloadingConnector","kv_role":"kv_both","kv_connector_extra_config":{"cpu_bytes_to_use":10737418240,"eviction_policy":"lru","secondary_tiers":[{"type":"fs","root_dir":"/mnt/kv-cache-0"}],"spec_name":"TieringOffloadingSpec"}}`},
			map[string]string{"PYTHONHASHSEED": "42"}},
		{"llm-d, LMCache", "decode: {parallelism: {tensor: 2}}\nkvCache: {hashSeed: \"123\", offload: {connector: lmcache, cpuMemory: 200Gi}}",
			[]string{`--kv-transfer-config={"kv_connector":"LMCacheConnectorV1","kv_role":"kv_both"}`},
			map[string]string{"LMCACHE_MAX_LOCAL_CPU_SIZE": "100", "PYTHONHASHSEED": "123"}},
		{"LMCache, a disk for each accelerator", "decode: {parallelism: {tensor: 4}}\nkvCache: {offload: {connector: lmcache, cpuMemory: 10Gi, secondaryTiers: [{size: 1Ti, capacity: 500Gi}]}}", nil,
			map[string]string{"LMCACHE_MAX_LOCAL_CPU_SIZE": "2.5", "LMCACHE_LOCAL_DISK": "file:///mnt/kv-cache-0/", "LMCACHE_MAX_LOCAL_DISK_SIZE": "125"}},
		{"llm-d, a Mooncake store", "decode: {parallelism: {tensor: 2}}\nkvCache: {offload: {connector: mooncake, cpuMemory: 160G, mooncake: {masterAddress: \"m:50051\"}}}",
			[]string{`--kv-transfer-config={"kv_connector":"MooncakeStoreConnector","kv_role":"kv_both"}`},
			map[string]string{"MOONCAKE_CONFIG_PATH": "/etc/mooncake/mooncake_config.json"}},
		{"llm-d, SGLang", "server: {engine: sglang}\ndecode: {parallelism: {tensor: 2}}\nkvCache: {blockSize: 64, offload: {cpuMemory: 400G}}",
			[]string{"--page-size=64", "--enable-hierarchical-cache", "--hicache-size=200"}, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := template(t, stacktest.StackOf(t, tc.spec), "decode").Spec.Containers[0]
			for _, arg := range tc.args {
				if !slices.Contains(c.Args, arg) {
					t.Errorf("no %s in %v", arg, c.Args)
				}
			}
			for name, value := range tc.env {
				if !slices.Contains(c.Env, corev1.EnvVar{Name: name, Value: value}) {
					t.Errorf("no %s=%s in %v", name, value, c.Env)
				}
			}
		})
	}
}

// TestStoreFile compares Mooncake's file with that of llm-d's guide, sizes in bytes.
func TestStoreFile(t *testing.T) {
	s := stacktest.StackOf(t, "decode: {parallelism: {tensor: 2}}\nkvCache: {offload: {connector: mooncake, cpuMemory: 160G, mooncake: {masterAddress: \"m:50051\", localBuffer: 4G}}}")
	files := stacktest.OfType[*corev1.ConfigMap](Offloading(s))
	const want = `{"metadata_server":"P2PHANDSHAKE","master_server_address":"m:50051","global_segment_size":80000000000,"local_buffer_size":4000000000,"protocol":"rdma","device_name":""}` + "\n"
	if len(files) != 1 || files[0].Data[mooncakeFile] != want {
		t.Errorf("%v, want %s", files, want)
	}
}
