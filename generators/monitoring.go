package generators

func monitoring(s *Stack) []Object { return nil }
