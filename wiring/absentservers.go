package wiring

// absentServers reports whether a Service selects by all labels of a pool whose servers are not
// in the set: who has a picker for servers that are there already has a Service for them
// too.
func (g *G) absentServers(s *Object, selector field) bool {
	labels, found := selector.texts(), false
	g.serverless().each(labels, func(pool *Object) bool {
		found = sameNamespace(s.Namespace, pool.Namespace) && selects(poolSelector(pool).texts(), labels)
		return !found
	})
	return found
}

// findServerless finds the pools of which no server is in the set.
func (g *G) findServerless() *rack[*Object] {
	all := &rack[*Object]{}
	for _, pool := range g.Kinds("InferencePool") {
		if of := poolSelector(pool); len(of.keys()) > 0 && len(g.selected(pool, of)) == 0 {
			all.add(matching(of), pool)
		}
	}
	return all
}
