package schema

import (
	"cmp"
	"strings"

	"github.com/inferstack/inferstack/release"
)

// Names of the roles, which are those of llm-d (label llm-d.ai/role).
const (
	RoleDecode  = "decode"
	RolePrefill = "prefill"
	RoleEncode  = "encode"
)

// A section is a role, or a variant with what it inherits, and where it is written.
type section struct {
	*Role
	path    string
	role    string
	variant *Variant
}

// inherited is where the role of a variant is written, or the section itself.
func (r section) inherited() string {
	role, _, _ := strings.Cut(r.path, ".variants[")
	return role
}

// mostReplicas are the servers that the section can grow to.
func (r section) mostReplicas() int32 {
	if r.Autoscaling != nil {
		return r.Autoscaling.Max
	}
	return r.Replicas
}

// resourcesOf are the resources in force for the servers, nil without any, and where they are written.
func (s *Stack) resourcesOf(r section) (list *Resources, at string) {
	if r.Resources != nil {
		return r.Resources, r.path + ".resources"
	}
	return s.Spec.Server.Resources, "spec.server.resources"
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

// hasSidecar reports whether the pods have the routing sidecar: decode pods that leave a part
// of the work to others.
func (s *Stack) hasSidecar(r section) bool { return s.Disaggregated() && r.role == RoleDecode }

// precisePrefix reports whether the EPP follows the servers' KV-cache events.
func (s *Stack) precisePrefix() bool {
	return s.Spec.Scheduler.Enabled && s.Preset() == "precise-prefix"
}

// rankPorts is RankPorts on the stack's release line.
func (s *Stack) rankPorts(r *Role) int32 { return s.RankPorts(r, s.line()) }
