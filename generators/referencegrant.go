package generators

func referenceGrants(s *Stack) []Object { return nil }
