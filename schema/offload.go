package schema

import "k8s.io/apimachinery/pkg/api/resource"

// OffloadBytes returns the host memory that the servers of a pod of the role put evicted
// blocks into, or 0. Every rank of the pod has as much for itself.
func (s *Stack) OffloadBytes(r *Role) int64 {
	var bytes int64
	switch {
	case s.Spec.KVCache.Offload != nil:
		bytes = s.Spec.KVCache.Offload.CPUMemory.Value()
	default:
		bytes = configuredOffload(s.TransferConfig(r))
	}
	return bytes * int64(r.Parallelism.LocalRanks())
}

// TransferConfig returns the --kv-transfer-config that the user writes for the role, or
// nil.
func (s *Stack) TransferConfig(r *Role) map[string]any {
	if own := s.Spec.KVTransfer.PrefillConfig; r == s.Spec.Prefill && own != nil {
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
// server share, and the blocks that are offloaded, which vLLM keeps there
// (vllm-project/vllm#50094). A size that is written is the size of the whole, as in llm-d's
// guide tiered-prefix-cache; the default has room for the blocks added.
func (s *Stack) SharedMemory(r *Role) resource.Quantity {
	size := s.Spec.Server.SharedMemory.DeepCopy()
	if bytes := s.OffloadBytes(r); bytes > 0 && !s.Has("spec.server.sharedMemory") {
		size.Add(*resource.NewQuantity(bytes, resource.BinarySI))
	}
	return size
}
