package generators

func serverService(s *Stack) []Object { return nil }
