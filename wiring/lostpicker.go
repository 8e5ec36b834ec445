package wiring

// lostPicker is the endpoint picker of a pool that the Service which the pool names does
// not select, nor any other pods; nil when the Service is no such one.
func (g *G) lostPicker(s *Object) *epp {
	selector := s.at("spec", "selector")
	if len(selector.keys()) == 0 || templated(pairs(selector)) || len(g.selected(s, selector)) > 0 {
		return nil
	}
	for _, u := range g.asking().of[s] {
		pool := u.at.object
		for _, e := range g.asking().epps[pool] {
			if sameNamespace(e.pods.Namespace, s.Namespace) {
				return e
			}
		}
	}
	return nil
}
