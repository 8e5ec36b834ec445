package generators

func networkPolicies(s *Stack) []Object { return nil }
