package generators

func envoyProxy(s *Stack) []Object { return nil }
