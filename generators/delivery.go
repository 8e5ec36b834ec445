package generators

// deliver puts the labels, annotations and ordering hints of spec.delivery on the
// objects.
func deliver(s *Stack, objects []Object) {}
