package wiring

// asking is who asks which endpoint picker.
type asking struct {
	// ports are those by which pools ask their endpoint pickers.
	ports []portUse
	// of are the ports of a Service among them.
	of map[*Object][]portUse
	// picks are the ext_proc clusters of the set's proxies, fronts those proxies by pool.
	picks  []pickerUse
	fronts map[*Object][]end
	// epps by the pool they pick for, and pods by what they read their configuration from.
	epps    map[*Object][]*epp
	readers map[*Object][]*Pods
	// rules are the DestinationRules for a Service.
	rules map[*Object][]*Object
}

func (g *G) findAsking() *asking {
	a := &asking{of: map[*Object][]portUse{}, fronts: map[*Object][]end{}, epps: map[*Object][]*epp{}, readers: map[*Object][]*Pods{}, rules: map[*Object][]*Object{}}
	for _, pool := range g.Kinds("InferencePool") {
		ref := pool.at("spec", "endpointPickerRef")
		s := g.Object(Ref{Kind: "Service", Namespace: pool.Namespace, Name: ref.at("name").text()})
		if port := eppPort(ref); s != nil {
			use := portUse{place{pool, port}, s, port.text(), true}
			a.ports, a.of[s] = append(a.ports, use), append(a.of[s], use)
		}
	}
	for _, o := range g.Kinds("DestinationRule") {
		if to, ok := serviceOf(o.at("spec", "host").text(), o.Namespace); ok {
			service := g.Object(to)
			a.rules[service] = append(a.rules[service], o)
		}
	}
	for _, e := range g.epps {
		if pool := e.pool(g); pool != nil {
			a.epps[pool] = append(a.epps[pool], e)
		}
		if e.configAt != nil && e.configAt != e.pods.Object {
			a.readers[e.configAt] = append(a.readers[e.configAt], e.pods)
		}
	}
	for _, x := range g.proxies {
		a.readers[x.configAt] = append(a.readers[x.configAt], x.pods)
		a.picks = append(a.picks, g.picksOf(x)...)
	}
	for _, u := range a.picks {
		known := map[*Object]bool{}
		for _, e := range u.epps {
			if pool := e.pool(g); pool != nil && !known[pool] && u.proxy.pods != u.epps[0].pods {
				known[pool], a.fronts[pool] = true, append(a.fronts[pool], endOf(u.proxy.pods))
			}
		}
	}
	return a
}

// picksOf are the ext_proc clusters of a proxy.
func (g *G) picksOf(x *proxy) (all []pickerUse) {
	for _, chain := range x.chains {
		for _, p := range chain {
			c := x.cluster(p.asks().text())
			for _, e := range endpoints(c) {
				u := pickerUse{proxy: x, cluster: c, address: e}
				u.find(g)
				all = append(all, u)
			}
		}
	}
	return all
}

// picks are the ext_proc clusters of the set's proxies.
func (g *G) picks() []pickerUse { return g.asking().picks }

// pickerPorts are the ports by which pools ask their endpoint pickers.
func (g *G) pickerPorts() []portUse { return g.asking().ports }

// eppsBehind are the endpoint pickers that a Service selects.
func (g *G) eppsBehind(s *Object) []*epp {
	return first(g, g.pickable.take(s.Namespace, matching(s.at("spec", "selector"))))
}
