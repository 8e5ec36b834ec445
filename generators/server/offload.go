package server

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/inferstack/inferstack/generators/args"
	"github.com/inferstack/inferstack/generators/base"
	"github.com/inferstack/inferstack/generators/kvevents"
	"github.com/inferstack/inferstack/schema"
)

// offloadTier is one of vLLM's secondary_tiers (vllm v1/kv_offload/tiering/fs/manager.py).
type offloadTier struct {
	Type         string `json:"type"`
	Root         string `json:"root_dir"`
	ReadThreads  *int32 `json:"n_read_threads,omitempty"`
	WriteThreads *int32 `json:"n_write_threads,omitempty"`
}

// offloading is what the role's vLLM keeps blocks by outside of the accelerators, or nil.
func (s server) offloading() *schema.Offload {
	if !s.RunsVLLM() {
		return nil
	}
	return s.OffloadOf(s.Own)
}

// offloadConnector is vLLM's connector for blocks outside of the accelerators' memory.
func (s server) offloadConnector(o *schema.Offload) kvConnector {
	switch {
	case o.Connector == schema.OffloadNative:
		return kvConnector{Connector: s.Line.VLLM.OffloadConnector, Role: roleBoth, Extra: s.offloadSettings(o)}
	case o.Connector == schema.OffloadMooncake && s.Spec.Prefill != nil && s.Role == base.ComponentDecode:
		// What prefill servers have stored, decode servers only read (vllm
		// docs/features/mooncake_store_connector_usage.md).
		return kvConnector{Connector: s.Line.VLLM.StoreConnectors[o.Connector], Role: roleConsumer}
	default:
		return kvConnector{Connector: s.Line.VLLM.StoreConnectors[o.Connector], Role: roleBoth}
	}
}

// offloadSettings are those of the OffloadingConnector (vllm docs/features/kv_offloading_usage.md).
func (s server) offloadSettings(o *schema.Offload) map[string]any {
	extra := map[string]any{s.Line.VLLM.OffloadSizeKey: o.CPUMemory.Value()}
	if o.EvictionPolicy != "" {
		extra["eviction_policy"] = o.EvictionPolicy
	}
	if o.BlockSize != nil {
		extra["block_size"] = *o.BlockSize
	}
	if len(o.SecondaryTiers) == 0 {
		return extra
	}
	var tiers []offloadTier
	for i := range o.SecondaryTiers {
		t := &o.SecondaryTiers[i]
		tiers = append(tiers, offloadTier{Type: "fs", Root: t.Mount(i), ReadThreads: t.ReadThreads, WriteThreads: t.WriteThreads})
	}
	extra["spec_name"], extra["secondary_tiers"] = s.Line.VLLM.OffloadTierSpec, tiers
	return extra
}

// offloadEnv configures LMCache and Mooncake, which read no arguments of vLLM, and makes the
// hashes of blocks the same in all servers. The seed for KV events is written with them.
func (s server) offloadEnv() []corev1.EnvVar {
	o := s.offloading()
	if o == nil {
		return nil
	}
	var vars []corev1.EnvVar
	if s.SharesHashes(s.Own) && kvevents.Mode(s.Stack) == "" {
		vars = append(vars, corev1.EnvVar{Name: "PYTHONHASHSEED", Value: kvevents.HashSeed(s.Stack)})
	}
	switch o.Connector {
	case schema.OffloadLMCache:
		return append(vars, s.lmcacheEnv(o)...)
	case schema.OffloadMooncake:
		return append(vars, corev1.EnvVar{Name: "MOONCAKE_CONFIG_PATH", Value: mooncakeDir + "/" + mooncakeFile})
	default:
		return vars
	}
}

// lmcacheEnv gives sizes in GiB for each accelerator, whose process has an LMCache of its own
// (LMCache lmcache/v1/config.py).
func (s server) lmcacheEnv(o *schema.Offload) []corev1.EnvVar {
	vars := []corev1.EnvVar{
		{Name: "LMCACHE_LOCAL_CPU", Value: "True"},
		{Name: "LMCACHE_MAX_LOCAL_CPU_SIZE", Value: gibibytes(s.OffloadPerDevice(s.Own))},
	}
	if o.EvictionPolicy != "" {
		vars = append(vars, corev1.EnvVar{Name: "LMCACHE_CACHE_POLICY", Value: strings.ToUpper(o.EvictionPolicy)})
	}
	for i := range o.SecondaryTiers {
		t := &o.SecondaryTiers[i]
		vars = append(vars,
			corev1.EnvVar{Name: "LMCACHE_LOCAL_DISK", Value: "file://" + t.Mount(i) + "/"},
			corev1.EnvVar{Name: "LMCACHE_MAX_LOCAL_DISK_SIZE", Value: gibibytes(t.CapacityBytes() / int64(max(1, s.Own.Parallelism.Devices())))})
	}
	return vars
}

// gibibytes writes bytes in GiB with three decimals at most, and never more than they are.
func gibibytes(bytes int64) string {
	thousandths := bytes / (1 << 20) * 1000 / (1 << 10)
	return strconv.FormatFloat(float64(thousandths)/1000, 'f', -1, 64)
}

// hicacheArgs turn on SGLang's HiCache, which counts decimal gigabytes for each accelerator
// (sglang python/sglang/srt/mem_cache/memory_pool_host.py).
func (s server) hicacheArgs(a *args.List) {
	o := s.OffloadOf(s.Own)
	if o == nil {
		return
	}
	a.On("hierarchicalCache")
	a.Add("hicacheSize", s.OffloadPerDevice(s.Own)/1e9)
	if len(o.SecondaryTiers) > 0 {
		a.Add("hicacheStorage", "file")
	}
}

// hicacheEnv says where HiCache keeps files (sglang
// python/sglang/srt/mem_cache/hicache_storage.py).
func (s server) hicacheEnv() []corev1.EnvVar {
	if tiers := s.SecondaryTiers(s.Own); s.Spec.Server.Engine == "sglang" && len(tiers) > 0 {
		return []corev1.EnvVar{{Name: "SGLANG_HICACHE_FILE_BACKEND_STORAGE_DIR", Value: tiers[0].Mount(0)}}
	}
	return nil
}

// The file with which Mooncake finds its store, as in llm-d's guide tiered-prefix-cache.
const (
	volumeMooncake = "mooncake-config"
	mooncakeDir    = "/etc/mooncake"
	mooncakeFile   = "mooncake_config.json"
)

// mooncakeConfig is Mooncake's file for vLLM (vllm
// docs/features/mooncake_store_connector_usage.md). Sizes are bytes of each accelerator.
type mooncakeConfig struct {
	MetadataServer string `json:"metadata_server"`
	Master         string `json:"master_server_address"`
	SegmentSize    int64  `json:"global_segment_size"`
	BufferSize     int64  `json:"local_buffer_size"`
	Protocol       string `json:"protocol"`
	DeviceName     string `json:"device_name"`
}

// mooncake is the role's store, or nil.
func (s server) mooncake() *schema.MooncakeStore {
	if o := s.offloading(); o != nil {
		return o.Mooncake
	}
	return nil
}

func (s server) mooncakeName() string { return s.Name(s.Part() + "-mooncake") }

func (s server) mooncakeText() string {
	store := s.mooncake()
	return compactJSON(mooncakeConfig{
		MetadataServer: cmp.Or(store.MetadataServer, "P2PHANDSHAKE"),
		Master:         store.MasterAddress,
		SegmentSize:    s.OffloadPerDevice(s.Own),
		BufferSize:     store.LocalBuffer.Value(),
		Protocol:       store.Protocol,
		DeviceName:     store.DeviceName,
	}) + "\n"
}

// checksum is what tells pods apart whose files differ.
func checksum(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])[:16]
}
