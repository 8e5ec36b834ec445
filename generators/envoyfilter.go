package generators

func envoyFilter(s *Stack) []Object { return nil }
