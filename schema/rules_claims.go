package schema

// claimsFit checks the claim for the weights, which every server mounts, against the
// number of pods that do. What a claim that exists already allows is not known.
func claimsFit(s *Stack) []Problem {
	storage := &s.Spec.Model.Storage
	made := storage.Type == "pvc" && storage.ExistingClaim == "" && s.Spec.Model.ParsedSource().Claim == ""
	if s.Simulated() || !made || !s.Spec.Server.Create {
		return nil
	}
	pods := int64(0)
	for _, r := range s.sections() {
		servers := int64(r.Replicas)
		if r.Autoscaling != nil {
			servers = int64(r.Autoscaling.Max)
		}
		pods += servers * int64(r.Parallelism.Nodes)
	}
	const at = "spec.model.storage.accessMode"
	switch {
	case pods < 2:
	case storage.AccessMode == "ReadWriteOncePod":
		return []Problem{s.Problem(Error, at, "ReadWriteOncePod is for one pod, and up to %d would mount the claim: the others stay Pending; use ReadWriteMany", pods)}
	case storage.AccessMode == "ReadWriteOnce" && s.accelerated():
		return []Problem{s.Problem(Warning, at, "ReadWriteOnce is for one node, and up to %d pods with accelerators would have to fit on it; use ReadWriteMany", pods)}
	}
	return nil
}

// accelerated reports whether any server has accelerators.
func (s *Stack) accelerated() bool {
	for _, r := range s.sections() {
		if s.AcceleratorOf(r.Role).Type != "cpu" {
			return true
		}
	}
	return false
}

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
