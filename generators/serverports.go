package generators

// hasSidecar says whether the role's pods have the routing sidecar before the model
// server: decode pods that are to fetch KV cache from prefill pods.
func (s server) hasSidecar() bool {
	return s.disaggregated() && s.role == componentDecode
}

// portCount returns the number of consecutive ports on which a pod of the role serves.
func (s server) portCount() int32 {
	return s.RankPorts(&s.own.Parallelism, s.Line.VLLM.Flags["dataParallelExternalLB"] != "")
}

// supervised says whether vLLM runs a server for each data-parallel rank under a
// supervisor, which has a port of its own for the health of them all.
func (s server) supervised() bool {
	return !s.simulated() && s.portCount() > 1
}

// serverPort returns the first port of the role's model server itself.
func (s server) serverPort() int32 {
	if s.hasSidecar() {
		return s.Spec.Server.SidecarTargetPort
	}
	return s.Spec.Server.Port
}

// supervisorPort is the port after the ranks', as in llm-d's guide wide-ep-lws.
func (s server) supervisorPort() int32 {
	return s.serverPort() + s.portCount()
}

// healthPort returns the port that the probes ask.
func (s server) healthPort() int32 {
	if s.supervised() {
		return s.supervisorPort()
	}
	return s.serverPort()
}

// entryPortName returns the name of the port by which clients reach the role's pods: the
// routing sidecar's where there is one.
func (s server) entryPortName() string {
	if s.hasSidecar() {
		return sidecarPortName
	}
	return serverPortName
}
