package schema

import (
	"cmp"

	"github.com/inferstack/inferstack/release"
)

// A section is a role, or a variant with what it inherits, and where it is written.
type section struct {
	*Role
	path    string
	prefill bool
	variant *Variant
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

// Bootstraps reports whether prefill servers have a bootstrap port, and decode servers or the
// routing sidecar ask there.
func (s *Stack) Bootstraps() bool {
	connector := s.Connector()
	return s.Spec.Prefill != nil && !s.Simulated() && (connector == "sglang" || connector == "mooncake")
}

// precisePrefix reports whether the EPP follows the servers' KV-cache events.
func (s *Stack) precisePrefix() bool {
	return s.Spec.Scheduler.Enabled && s.Preset() == "precise-prefix"
}

// rankPorts is RankPorts on the stack's release line.
func (s *Stack) rankPorts(r *Role) int32 { return s.RankPorts(r, s.line()) }
