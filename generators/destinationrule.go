package generators

func destinationRules(s *Stack) []Object { return nil }
