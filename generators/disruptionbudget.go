package generators

func disruptionBudgets(s *Stack) []Object { return nil }
