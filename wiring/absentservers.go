package wiring

// absentServers says whether a Service selects by all labels of a pool whose servers are not
// in the set: who has a picker for servers that are there already has a Service for them
// too.
func (g *G) absentServers(s *Object, selector field) bool {
	labels := selector.texts()
	for _, pool := range g.Kinds("InferencePool") {
		of := poolSelector(pool)
		if sameNamespace(s.Namespace, pool.Namespace) && len(of.keys()) > 0 && selects(of.texts(), labels) && len(g.selected(pool, of)) == 0 {
			return true
		}
	}
	return false
}
