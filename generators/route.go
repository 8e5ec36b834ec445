package generators

func route(s *Stack) []Object { return nil }
