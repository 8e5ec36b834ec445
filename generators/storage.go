package generators

func storage(s *Stack) []Object { return nil }
