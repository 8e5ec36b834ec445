package generators

func autoscaling(s *Stack) []Object { return nil }
