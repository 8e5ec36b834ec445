package base

// FlowControl says whether something needs the EPP's flow control: without it the queue
// that autoscaling measures does not exist.
func (s *Stack) FlowControl() bool {
	for _, server := range s.Servers() {
		if spec := server.Own.Autoscaling; spec != nil && spec.TargetQueueSize != nil {
			return true
		}
	}
	return false
}

// Disaggregated says whether prefill servers take the prompt's work.
func (s *Stack) Disaggregated() bool { return s.Spec.Prefill != nil }

// Simulated says whether the llm-d simulator stands in for vLLM.
func (s *Stack) Simulated() bool { return s.Spec.Server.Engine == "simulator" }

// PrecisePrefix says whether the EPP follows KV-cache events.
func (s *Stack) PrecisePrefix() bool {
	return s.FollowsEvents(s.Line)
}

// HasServerService says whether the plain Service is made: because it was asked for,
// because a route or a rule needs it, or because without an EPP there is no other way to
// the servers.
func (s *Stack) HasServerService() bool {
	return s.Spec.Server.Service.Enabled || s.Spec.LoadBalancing != nil || !s.Spec.Scheduler.Enabled || s.AnyFront(Front.ToService)
}
