package generators

func epp(s *Stack) []Object { return nil }
