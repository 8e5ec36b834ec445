package schema

import (
	"cmp"
	"maps"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/inferstack/inferstack/admission"
	"github.com/inferstack/inferstack/release"
)

// Names of the roles, which are those of llm-d (label llm-d.ai/role).
const (
	RoleDecode  = "decode"
	RolePrefill = "prefill"
	RoleEncode  = "encode"
)

// A Workload is the servers of a role, or of one of its variants, that are the same, and where
// it is written.
type Workload struct {
	*Role
	// Path is that of the role or variant in the stack.
	Path string
	// RoleName is decode, prefill or encode.
	RoleName string
	// Variant is nil for a role without variants; Role has what it inherits.
	Variant *Variant
}

// Simulated reports whether the simulator stands in for vLLM.
func (s *Stack) Simulated() bool { return s.Spec.Server.Engine == "simulator" }

// RunsVLLM reports whether vLLM serves.
func (s *Stack) RunsVLLM() bool { return s.Spec.Server.Engine == "vllm" }

// EngineOf returns the engine of the stack on the release line, for those beside vLLM and the
// simulator.
func (s *Stack) EngineOf(line *release.Line) (engine release.Engine, found bool) {
	engine, found = line.Engines[s.Spec.Server.Engine]
	return engine, found
}

// Connector returns the connector of the routing sidecar.
func (s *Stack) Connector() string {
	fallback := "nixlv2"
	if s.Spec.Server.Engine == "sglang" {
		fallback = "sglang"
	}
	return cmp.Or(s.Spec.KVTransfer.Connector, fallback)
}

// Disaggregated reports whether the decode servers leave a part of the work to others, which
// their routing sidecar asks.
func (s *Stack) Disaggregated() bool { return s.Spec.Prefill != nil || s.Spec.Encode != nil }

// HasSidecar reports whether the pods of a role have the routing sidecar before the model
// server: decode pods that leave a part of the work to prefill or encode pods.
func (s *Stack) HasSidecar(role string) bool { return s.Disaggregated() && role == RoleDecode }

// ResourcesOf returns the resources in force for the servers of a role, nil without any.
func (s *Stack) ResourcesOf(r *Role) *Resources { return cmp.Or(r.Resources, s.Spec.Server.Resources) }

// Bootstraps reports whether prefill servers have a bootstrap port, and decode servers or the
// routing sidecar ask there.
func (s *Stack) Bootstraps() bool {
	connector := s.Connector()
	return s.Spec.Prefill != nil && !s.Simulated() && (connector == "sglang" || connector == "mooncake")
}

// UsesNIXL reports whether the role's vLLM moves KV cache by NIXL.
func (s *Stack) UsesNIXL(r *Role) bool {
	return s.Spec.Prefill != nil && !s.isEncode(r) && s.RunsVLLM() && s.Connector() == "nixlv2"
}

// TRTLLMOptions make trtllm-serve show the metrics that the EPP reads: the first mounts them,
// the second fills the gauges (llm-d guides/optimized-baseline, modelserver/gpu/trtllm).
var TRTLLMOptions = []string{"return_perf_metrics", "enable_iter_perf_stats"}

// LLMAPIOptions returns the options of TensorRT-LLM's LLM API: the user's, and those without
// which the EPP has nothing to score by.
func (s *Stack) LLMAPIOptions() map[string]any {
	out := map[string]any{}
	maps.Copy(out, s.Spec.Server.TRTLLM.ExtraLLMAPIOptions)
	for _, key := range TRTLLMOptions {
		out[key] = true
	}
	return out
}

// Whole returns requests and limits as they are written out: the request of a device is
// its limit as well, since devices cannot be overcommitted.
func (r *Resources) Whole() (requests, limits map[string]resource.Quantity) {
	limits = maps.Clone(r.Limits)
	for name, q := range r.Requests {
		if _, limited := limits[name]; !limited && admission.Extended(name) {
			if limits == nil {
				limits = map[string]resource.Quantity{}
			}
			limits[name] = q
		}
	}
	return r.Requests, limits
}
