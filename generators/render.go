package generators

func render(s *Stack) []Object { return nil }
