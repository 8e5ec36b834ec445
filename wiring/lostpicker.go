package wiring

// lostPicker is the endpoint picker of a pool that the Service which the pool names does
// not select, nor any other pods; nil when the Service is no such one.
func (g *G) lostPicker(s *Object) *epp {
	selector := s.at("spec", "selector")
	if len(selector.keys()) == 0 || templated(pairs(selector)) || len(g.selected(s, selector)) > 0 {
		return nil
	}
	for _, u := range g.pickerPorts() {
		if u.service != s || u.at.object.at("spec", "endpointPickerRef", "failureMode").text() == "FailOpen" {
			continue
		}
		for _, e := range g.epps {
			if e.pool(g) == u.at.object && sameNamespace(e.pods.Namespace, s.Namespace) {
				return e
			}
		}
	}
	return nil
}
