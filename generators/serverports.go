package generators

// hasSidecar says whether the role's pods have the routing sidecar before the model
// server: decode pods that are to fetch KV cache from prefill pods.
func (s *Stack) hasSidecar(role string) bool {
	return s.disaggregated() && role == componentDecode
}

// portCount returns the number of consecutive ports on which a pod of the role serves.
func (s *Stack) portCount(role string) int32 {
	return s.RankPorts(&s.role(role).Parallelism, s.Line.VLLM.Flags["dataParallelExternalLB"] != "")
}

// supervised says whether vLLM runs a server for each data-parallel rank under a
// supervisor, which has a port of its own for the health of them all.
func (s *Stack) supervised(role string) bool {
	return !s.simulated() && s.portCount(role) > 1
}

// serverPort returns the first port of the role's model server itself.
func (s *Stack) serverPort(role string) int32 {
	if s.hasSidecar(role) {
		return s.Spec.Server.SidecarTargetPort
	}
	return s.Spec.Server.Port
}

// supervisorPort is the port after the ranks', as in llm-d's guide wide-ep-lws.
func (s *Stack) supervisorPort(role string) int32 {
	return s.serverPort(role) + s.portCount(role)
}

// healthPort returns the port that the probes ask.
func (s *Stack) healthPort(role string) int32 {
	if s.supervised(role) {
		return s.supervisorPort(role)
	}
	return s.serverPort(role)
}

// entryPortName returns the name of the port by which clients reach the role's pods: the
// routing sidecar's where there is one.
func (s *Stack) entryPortName(role string) string {
	if s.hasSidecar(role) {
		return sidecarPortName
	}
	return serverPortName
}
