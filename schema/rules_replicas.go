package schema

// noServers says what a stack without servers is: one that refuses every request until
// something starts them.
func noServers(s *Stack) []Problem {
	var out []Problem
	for _, r := range s.sections() {
		if s.Spec.Server.Create && r.Replicas == 0 && r.Autoscaling == nil {
			out = append(out, s.Problem(Info, r.path+".replicas", "is 0: no server is started, and requests that need one fail"))
		}
	}
	return out
}
