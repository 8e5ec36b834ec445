package wiring

import "github.com/inferstack/inferstack/schema"

func linkDestinationRule(g *G, o *Object) {
	host := o.at("spec", "host")
	to, ok := serviceOf(host.text(), o.Namespace)
	if pool := g.poolBehind(to); pool != nil {
		to = pool.Ref
	}
	if ok {
		g.link(place{o, host}, to, "applies to", "")
	}
}

// poolBehind is the pool of which Istio makes a Service of that name.
func (g *G) poolBehind(service Ref) *Object {
	return g.poolServices()[slot{"Service", service.Namespace, service.Name}]
}

// findPoolServices are the pools by the Services that Istio makes of them.
func (g *G) findPoolServices() map[slot]*Object {
	pools := map[slot]*Object{}
	for _, pool := range g.Kinds("InferencePool") {
		made := slot{"Service", pool.Namespace, schema.IstioPoolService(pool.Name)}
		if pools[made] == nil {
			pools[made] = pool
		}
	}
	return pools
}

func linkBinding(g *G, o *Object) {
	role := o.at("roleRef")
	to := Ref{Group: role.at("apiGroup").text(), Kind: role.at("kind").text(), Name: role.at("name").text()}
	if to.Kind == "Role" {
		to.Namespace = o.Namespace
	}
	g.link(place{o, role.at("name")}, to, "grants", "")
	for _, s := range o.at("subjects").list() {
		if s.at("kind").text() == "ServiceAccount" {
			g.link(place{o, s.at("name")}, Ref{Kind: "ServiceAccount", Namespace: s.at("namespace").or(o.Namespace), Name: s.at("name").text()}, "grants to", "")
		}
	}
}

func linkScaler(g *G, o *Object) { g.linkScaled(o, "scales") }

// linkVariant links what the workload variant autoscaler counts servers for: an autoscaler beside
// it scales them.
func linkVariant(g *G, o *Object) { g.linkScaled(o, "counts the servers of") }

func (g *G) linkScaled(o *Object, kind string) {
	ref := o.at("spec", "scaleTargetRef")
	to := Ref{Group: groupOf(ref.at("apiVersion").text()), Kind: ref.at("kind").or("Deployment"), Namespace: o.Namespace, Name: ref.at("name").text()}
	g.link(place{o, ref.at("name")}, to, kind, "")
}

func linkServiceMonitor(g *G, o *Object) {
	for _, s := range g.monitored(o) {
		g.link(o.in(), s.Ref, "scrapes", "")
	}
}

// monitored are the Services that a ServiceMonitor takes.
func (g *G) monitored(monitor *Object) []*Object {
	return first(g, seen(monitor, g.services, selecting(monitor.at("spec", "selector"))))
}

// seen is what an object selects in the namespaces in which it looks.
func seen[T comparable](o *Object, s *shelf[T], q question) []T {
	if o.Kind != "PodMonitor" && o.Kind != "ServiceMonitor" {
		return s.take(o.Namespace, q)
	}
	where := o.at("spec", "namespaceSelector")
	names := where.at("matchNames").words()
	switch {
	case where.at("any").text() == "true":
		return s.take("", q)
	case len(names) == 0:
		return s.take(o.Namespace, q)
	case len(names) == 1:
		return s.take(names[0], q)
	}
	var out []T
	known := map[T]bool{}
	for _, n := range names {
		for _, thing := range s.take(n, q) {
			if !known[thing] {
				known[thing], out = true, append(out, thing)
			}
		}
	}
	return out
}

func linkEnvoyFilter(g *G, o *Object) {
	f := envoyFilterOf(o)
	for _, t := range f.targets {
		g.link(t.at, t.Ref, "patches", "")
	}
	for _, c := range f.clusters {
		if to, ok := serviceOf(c.host, o.Namespace); ok {
			if service := g.link(c.at, to, "asks", c.port); service != nil {
				g.addresses = append(g.addresses, portUse{c.at, service, c.port, false})
			}
		}
	}
	for _, name := range f.routes {
		if route := g.routeNamed(name.field.text()); route != nil {
			g.link(name, route.Ref, "patches", name.field.text())
		}
	}
}

func envoyRouteName(route *Object, index int, rule field) string {
	if name := rule.at("name").text(); name != "" {
		return name
	}
	return route.Namespace + "." + route.Name + "." + itoa(index)
}

// linkIngress follows an Ingress to the Services behind it.
func linkIngress(g *G, o *Object) {
	all := []field{o.at("spec", "defaultBackend")}
	for _, rule := range o.at("spec", "rules").list() {
		for _, path := range rule.at("http", "paths").list() {
			all = append(all, path.at("backend"))
		}
	}
	for _, b := range all {
		name, port := b.at("service", "name"), b.at("service", "port", "number")
		if !port.is() {
			port = b.at("service", "port", "name")
		}
		if s := g.link(place{o, name}, Ref{Kind: "Service", Namespace: o.Namespace, Name: name.text()}, "routes to", port.text()); s != nil {
			g.addresses = append(g.addresses, portUse{place{o, port}, s, port.text(), true})
		}
	}
}
