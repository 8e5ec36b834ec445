package schema

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
