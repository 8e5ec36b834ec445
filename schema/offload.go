package schema

import (
	"fmt"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
)

// Values of offload.connector.
const (
	OffloadNative   = "native"
	OffloadLMCache  = "lmcache"
	OffloadMooncake = "mooncake"
)

// OffloadOf returns how the role's servers keep KV blocks outside of the accelerators'
// memory, or nil.
func (s *Stack) OffloadOf(r *Role) *Offload {
	switch {
	case s.isEncode(r):
		return nil
	case r.Offload != nil:
		return r.Offload
	}
	return s.Spec.KVCache.Offload
}

// OffloadPerDevice returns the bytes of host memory for each accelerator of the role. LMCache,
// Mooncake and HiCache are told that; vLLM's own connector is told the sum.
func (s *Stack) OffloadPerDevice(r *Role) int64 {
	o := s.OffloadOf(r)
	if o == nil {
		return 0
	}
	return o.CPUMemory.Value() / max(1, int64(r.Parallelism.Tensor)*int64(r.Parallelism.Pipeline))
}

// OffloadBytes returns the host memory that the servers of a pod of the role put blocks into,
// or 0. Every rank of the pod has as much for itself.
func (s *Stack) OffloadBytes(r *Role) int64 {
	ranks, o := int64(r.Parallelism.LocalRanks()), s.OffloadOf(r)
	switch {
	case o == nil:
		return configuredOffload(s.TransferConfig(r)) * ranks
	case s.offloadsToShm(r):
		return o.CPUMemory.Value() * ranks
	case o.Mooncake != nil:
		return (s.OffloadPerDevice(r) + o.Mooncake.LocalBuffer.Value()) * r.Parallelism.UncheckedDevices()
	default:
		return s.OffloadPerDevice(r) * r.Parallelism.UncheckedDevices()
	}
}

// offloadsToShm reports whether the blocks of the role are in /dev/shm, where vLLM's own
// connector has them (vllm-project/vllm#50094). Others have pinned memory of their own.
func (s *Stack) offloadsToShm(r *Role) bool {
	o := s.OffloadOf(r)
	return s.RunsVLLM() && (o == nil || o.Connector == OffloadNative)
}

// TransferConfig returns the --kv-transfer-config that the user writes for the role, or
// nil.
func (s *Stack) TransferConfig(r *Role) map[string]any {
	if s.isEncode(r) {
		return nil
	}
	if own := s.Spec.KVTransfer.PrefillConfig; own != nil && s.isPrefill(r) {
		return own
	}
	return s.Spec.KVTransfer.Config
}

// configuredOffload is what a --kv-transfer-config gives vLLM's OffloadingConnector, which
// may be one of several.
func configuredOffload(config map[string]any) int64 {
	extra, _ := config["kv_connector_extra_config"].(map[string]any)
	bytes, _ := number(extra["cpu_bytes_to_use"])
	connectors, _ := extra["connectors"].([]any)
	for _, c := range connectors {
		if one, ok := c.(map[string]any); ok {
			bytes += configuredOffload(one)
		}
	}
	return bytes
}

func number(v any) (int64, bool) {
	switch v := v.(type) {
	case int64:
		return v, true
	case int:
		return int64(v), true
	case float64:
		return int64(v), true
	default:
		return 0, false
	}
}

// SharedMemory returns the size of /dev/shm in a pod of the role: what the processes of a
// server share, and the blocks and embeddings that vLLM keeps there. A size that is written is the size of
// the whole, as in llm-d's guide tiered-prefix-cache; the default has room for them added.
func (s *Stack) SharedMemory(r *Role) resource.Quantity {
	size := s.Spec.Server.SharedMemory.DeepCopy()
	if bytes := s.KeptInShm(r); bytes > 0 && !s.Has("spec.server.sharedMemory") {
		size.Add(*resource.NewQuantity(bytes, resource.BinarySI))
	}
	return size
}

// KeptInShm are the bytes in /dev/shm that vLLM takes at its start.
func (s *Stack) KeptInShm(r *Role) int64 {
	bytes := s.EmbeddingBytes(r)
	if s.offloadsToShm(r) {
		bytes += s.OffloadBytes(r)
	}
	return bytes
}

// HostMemory returns what a pod of the role keeps in host memory besides the processes
// themselves: /dev/shm, and the offloaded blocks that are elsewhere.
func (s *Stack) HostMemory(r *Role) resource.Quantity {
	size := s.SharedMemory(r)
	if bytes := s.OffloadBytes(r); bytes > 0 && !s.offloadsToShm(r) {
		size.Add(*resource.NewQuantity(bytes, resource.BinarySI))
	}
	return size
}

// SecondaryTiers returns the storage behind the host memory of the role's servers.
func (s *Stack) SecondaryTiers(r *Role) []SecondaryTier {
	if o := s.OffloadOf(r); o != nil && !s.Simulated() {
		return o.SecondaryTiers
	}
	return nil
}

// Mount returns the directory of a tier, which is the i-th of its list; the default is
// KServe's (kserve workload_kvcache.go, v0.20.0).
func (t *SecondaryTier) Mount(i int) string {
	if t.MountPath != "" {
		return t.MountPath
	}
	return fmt.Sprintf("/mnt/kv-cache-%d", i)
}

// TierVolumeName is the name of the volume of the i-th tier.
func TierVolumeName(i int) string { return fmt.Sprintf("kv-cache-%d", i) }

// CapacityBytes returns what LMCache may keep in the tier, or 0 where nothing says it. A tenth
// of the volume is left to what is being written.
func (t *SecondaryTier) CapacityBytes() int64 {
	switch {
	case t.Capacity != nil:
		return t.Capacity.Value()
	case t.Size != nil:
		return t.Size.Value() / 10 * 9
	default:
		return 0
	}
}

// NodeStorage returns the bytes that the tiers of a role's pod take on the disk of its node.
func (s *Stack) NodeStorage(r *Role) (sum int64) {
	for i := range s.SecondaryTiers(r) {
		if t := &s.SecondaryTiers(r)[i]; t.Type == "emptyDir" && t.Size != nil {
			sum += t.Size.Value()
		}
	}
	return sum
}

// SharesHashes reports whether blocks of the role outlive a process of its servers or are read
// by another one, so that the hashes by which they are found need one seed.
func (s *Stack) SharesHashes(r *Role) bool {
	o := s.OffloadOf(r)
	return o != nil && s.RunsVLLM() && (o.Connector != OffloadNative || len(o.SecondaryTiers) > 0)
}

// TierClaim ends the default name of the claim of the i-th tier. Part is the role or variant whose
// own the section is, "" for that of all servers.
func TierClaim(part string, i int) string {
	name := strings.TrimPrefix(part+"-kv-cache", "-")
	if i > 0 {
		name += "-" + strconv.Itoa(i)
	}
	return name
}
