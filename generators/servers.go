package generators

func servers(s *Stack) []Object { return nil }
