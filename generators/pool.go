package generators

func pool(s *Stack) []Object { return nil }

// poolPorts returns the ports of a server as the pool sees them, from server.port on: more
// than one where the data-parallel ranks of a pod serve for themselves. All pods of the
// pool are seen through the same ports; a role with fewer says so by activePorts.
func (s *Stack) poolPorts() []int32 {
	if ports := s.Spec.Pool.TargetPorts; len(ports) > 0 {
		return ports
	}
	var count int32
	for _, role := range s.roles() {
		count = max(count, s.portCount(role))
	}
	ports := make([]int32, 0, count)
	for i := range count {
		ports = append(ports, s.Spec.Server.Port+i)
	}
	return ports
}
