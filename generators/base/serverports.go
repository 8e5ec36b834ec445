package base

import "k8s.io/apimachinery/pkg/util/intstr"

// HasSidecar reports whether the role's pods have the routing sidecar before the model server.
func (s Server) HasSidecar() bool { return s.Stack.HasSidecar(s.Role) }

// PortCount returns the number of consecutive ports on which a pod of the role serves.
func (s Server) PortCount() int32 {
	return s.RankPorts(s.Own, s.Line)
}

// Supervised reports whether vLLM runs a server for each data-parallel rank under a
// supervisor, which has a port of its own for the health of them all.
func (s Server) Supervised() bool {
	return !s.Simulated() && s.PortCount() > 1
}

// ModelServerPort returns the first port of the role's model server itself.
func (s Server) ModelServerPort() int32 {
	if s.HasSidecar() {
		return s.Spec.Server.SidecarTargetPort
	}
	return s.Spec.Server.Port
}

// ServesTLS reports whether the model servers, and the routing sidecars before them, speak
// TLS.
func (s *Stack) ServesTLS() bool { return s.Spec.Server.CertSecret != "" }

// ServerScheme is what the servers are asked by: http or https.
func (s *Stack) ServerScheme() string {
	if s.ServesTLS() {
		return "https"
	}
	return "http"
}

// SupervisorPort is the port after the ranks', as in llm-d's guide wide-ep-lws.
func (s Server) SupervisorPort() int32 {
	return s.ModelServerPort() + s.PortCount()
}

// HealthPort returns the port that the probes ask.
func (s Server) HealthPort() int32 {
	if s.Supervised() {
		return s.SupervisorPort()
	}
	return s.ModelServerPort()
}

// EntryPort returns the port by which clients reach the role's pods, by its name: the routing
// sidecar's where there is one. The ports of pods that were there before the stack have names of
// their own, and are referred to by number.
func (s Server) EntryPort() intstr.IntOrString {
	switch {
	case len(s.Own.Selector) > 0:
		return intstr.FromInt32(s.Spec.Server.Port)
	case s.HasSidecar():
		return intstr.FromString(SidecarPortName)
	}
	return intstr.FromString(serverPortName)
}
