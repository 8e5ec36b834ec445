package schema

import "strings"

// RDMA returns the role's network adapters for RDMA, nil without any. The simulator uses none.
func (s *Stack) RDMA(r *Role) *RDMA {
	if s.Simulated() {
		return nil
	}
	return s.AcceleratorOf(r).RDMA
}

// RDMACapabilities are those of the role's servers.
func (s *Stack) RDMACapabilities(r *Role) []string {
	switch rdma := s.RDMA(r); {
	case rdma == nil:
		return nil
	case rdma.Capabilities == nil:
		return []string{"IPC_LOCK"}
	default:
		return rdma.Capabilities
	}
}

// rdmaFits tells what adapters ask of the namespace, and where nobody uses them.
func rdmaFits(s *Stack) []Problem {
	var out []Problem
	said := map[string]bool{}
	for _, r := range s.sections() {
		at := "spec.server.accelerator"
		if r.Accelerator != nil {
			at = r.path + ".accelerator"
		}
		at += ".rdma"
		rdma := s.AcceleratorOf(r.Role).RDMA
		if rdma == nil || said[at] {
			continue
		}
		said[at] = true
		added := s.RDMACapabilities(r.Role)
		switch {
		case s.Simulated():
			out = append(out, s.Problem(Info, at, "has no effect with the simulator, which moves no KV cache"))
		case len(added) > 0 && s.Spec.Security.PlatformIDs:
			out = append(out, s.Problem(Error, at+".capabilities", "need root (got %s), and %s leaves the user to the platform; write [] where the runtime does not limit locked memory, or set the user by podTemplatePatch", strings.Join(added, ", "), Path("spec.security.platformIDs")))
		case len(added) > 0:
			out = append(out, s.Problem(Info, at, "runs the servers as root with %s, which a namespace that enforces the baseline or restricted Pod Security Standard refuses; write capabilities: [] where the container runtime does not limit locked memory", strings.Join(added, ", ")))
		}
	}
	return append(out, s.all2AllFits()...)
}

// all2AllFits refuses a way to exchange tokens where none are exchanged.
func (s *Stack) all2AllFits() []Problem {
	var out []Problem
	line := s.line()
	for _, r := range s.sections() {
		at := r.path + ".parallelism.all2allBackend"
		switch {
		case r.Parallelism.All2allBackend == "" || line == nil:
		case !s.RunsVLLM():
			out = append(out, s.Problem(Error, at, "is vLLM's, and %s is %s", Path(enginePath), s.Spec.Server.Engine))
		case !r.Parallelism.Expert:
			out = append(out, s.Problem(Error, at, "needs parallelism.expert: true; without it no tokens are exchanged"))
		case line.VLLM.Flags["all2allBackend"] == "":
			out = append(out, s.Problem(Error, at, "has no flag in the vLLM of release line %s; set VLLM_ALL2ALL_BACKEND in env", line.Name))
		}
	}
	return out
}
