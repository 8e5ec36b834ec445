package generators

func pool(s *Stack) []Object { return nil }

// poolPorts returns the ports of a server as the pool sees them: one for each
// data-parallel rank of a pod, from server.port on.
func (s *Stack) poolPorts() []int32 {
	if ports := s.Spec.Pool.TargetPorts; len(ports) > 0 {
		return ports
	}
	ports := make([]int32, 0, s.localRanks())
	for i := range s.localRanks() {
		ports = append(ports, s.Spec.Server.Port+i)
	}
	return ports
}

// localRanks returns the data-parallel ranks of a decode pod.
func (s *Stack) localRanks() int32 {
	p := &s.Spec.Decode.Parallelism
	if p.DataLocal != nil {
		return *p.DataLocal
	}
	return max(1, p.Data/p.Nodes)
}
