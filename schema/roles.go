package schema

// A section is a role and where it is written.
type section struct {
	*Role
	path string
}

// sections returns the roles that the stack has.
func (s *Stack) sections() []section {
	out := []section{{&s.Spec.Decode, "spec.decode"}}
	if s.Spec.Prefill != nil {
		out = append(out, section{s.Spec.Prefill, "spec.prefill"})
	}
	return out
}

// Simulated reports whether the simulator stands in for vLLM.
func (s *Stack) Simulated() bool { return s.Spec.Server.Engine == "simulator" }

// precisePrefix reports whether the EPP follows the servers' KV-cache events.
func (s *Stack) precisePrefix() bool {
	return s.Spec.Scheduler.Enabled && s.Preset() == "precise-prefix"
}

// rankPorts is RankPorts on the stack's release line.
func (s *Stack) rankPorts(r *Role) int32 { return s.RankPorts(r, s.line()) }
