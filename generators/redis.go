package generators

func redis(s *Stack) []Object { return nil }
