package generators

// disaggregated says whether prefill servers take the prompt's work.
func (s *Stack) disaggregated() bool { return s.Spec.Prefill != nil }

// simulated says whether the llm-d simulator stands in for vLLM.
func (s *Stack) simulated() bool { return s.Spec.Server.Engine == "simulator" }

// precisePrefix says whether the EPP follows KV-cache events.
func (s *Stack) precisePrefix() bool {
	return s.FollowsEvents(s.Line)
}

// hasServerService says whether the plain Service is made: because it was asked for,
// because a route or a rule needs it, or because without an EPP there is no other way to
// the servers.
func (s *Stack) hasServerService() bool {
	return s.Spec.Server.Service.Enabled || s.Spec.LoadBalancing != nil || !s.Spec.Scheduler.Enabled || s.anyFront(front.toService)
}
