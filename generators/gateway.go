package generators

func gateway(s *Stack) []Object { return nil }
