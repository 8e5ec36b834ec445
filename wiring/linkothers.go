package wiring

import (
	"strings"
)

func linkDestinationRule(g *G, o *Object) {
	host := o.at("spec", "host")
	if to, ok := serviceOf(host.text(), o.Namespace); ok {
		g.link(place{o, host}, to, "applies to", "")
	}
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

func linkScaler(g *G, o *Object) {
	ref := o.at("spec", "scaleTargetRef")
	to := Ref{groupOf(ref.at("apiVersion").text()), ref.at("kind").or("Deployment"), o.Namespace, ref.at("name").text()}
	g.link(place{o, ref.at("name")}, to, "scales", "")
}

func linkServiceMonitor(g *G, o *Object) {
	for _, s := range g.monitored(o) {
		g.link(o.in(), s.Ref, "scrapes", "")
	}
}

// monitored are the Services that a ServiceMonitor takes.
func (g *G) monitored(monitor *Object) []*Object {
	var out []*Object
	for _, s := range g.Kinds("Service") {
		if monitorSees(monitor, s.Namespace) && selectsAll(monitor.at("spec", "selector"), s.labels) {
			out = append(out, s)
		}
	}
	return out
}

// monitorSees says whether a monitor looks in a namespace.
func monitorSees(monitor *Object, namespace string) bool {
	where := monitor.at("spec", "namespaceSelector")
	if where.at("any").text() == "true" {
		return true
	}
	names := where.at("matchNames").words()
	for _, n := range names {
		if sameNamespace(n, namespace) {
			return true
		}
	}
	return len(names) == 0 && sameNamespace(monitor.Namespace, namespace)
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

// routeNamed is the HTTPRoute that Istio gives an Envoy route of that name:
// namespace.name.index, or the name of a rule (istio
// pilot/pkg/config/kube/gateway/conversion.go).
func (g *G) routeNamed(name string) *Object {
	for _, r := range g.Kinds("HTTPRoute") {
		for i, rule := range r.at("spec", "rules").list() {
			if envoyRouteName(r, i, rule) == name || r.Namespace == "" && strings.HasSuffix(name, envoyRouteName(r, i, rule)) {
				return r
			}
		}
	}
	return nil
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
