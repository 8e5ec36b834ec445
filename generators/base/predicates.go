package base

// FlowControl reports whether something needs the EPP's flow control: without it the queue
// that autoscaling measures does not exist.
func (s *Stack) FlowControl() bool {
	for _, server := range s.Servers() {
		if spec := server.Own.Autoscaling; spec != nil && spec.TargetQueueSize != nil {
			return true
		}
	}
	return false
}

// PrecisePrefix reports whether the EPP follows KV-cache events.
func (s *Stack) PrecisePrefix() bool {
	return s.FollowsEvents(s.Line)
}
