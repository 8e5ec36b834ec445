package wiring

import "slices"

// routing finds the routes of what they lead to.
type routing struct {
	// to are the routes to a backend, on those of a Gateway, each once.
	to, on map[*Object][]*Object
	// named are the HTTPRoutes by the names of their Envoy routes. A route whose namespace is
	// not known has the end of its Envoy routes' names.
	named  map[string][]*Object
	ends   map[string]*Object
	names  []string
	grants map[grant]bool
}

// A grant lets objects of a kind and namespace refer to another namespace's: to one, or to all
// of a kind where the name is empty.
type grant struct {
	group, kind, namespace string
	to                     Ref
}

func (g *G) findRouting() *routing {
	r := &routing{to: map[*Object][]*Object{}, on: map[*Object][]*Object{}, named: map[string][]*Object{}, ends: map[string]*Object{}, grants: map[grant]bool{}}
	for _, route := range g.Kinds("HTTPRoute", "GRPCRoute") {
		for _, b := range backends(route) {
			addRoute(r.to, g.Object(b.Ref), route)
		}
		for _, gateway := range g.gateways(route) {
			addRoute(r.on, gateway, route)
		}
		if route.Kind == "HTTPRoute" {
			r.name(route)
		}
	}
	for _, o := range g.Kinds("ReferenceGrant") {
		for _, from := range o.at("spec", "from").list() {
			for _, to := range o.at("spec", "to").list() {
				r.grants[grant{
					from.at("group").text(), from.at("kind").text(), from.at("namespace").text(),
					Ref{Group: to.at("group").text(), Kind: to.at("kind").text(), Namespace: o.Namespace, Name: to.at("name").text()},
				}] = true
			}
		}
	}
	return r
}

func addRoute(routes map[*Object][]*Object, of, route *Object) {
	if list := routes[of]; of != nil && (len(list) == 0 || list[len(list)-1] != route) {
		routes[of] = append(list, route)
	}
}

func (r *routing) name(route *Object) {
	for i, rule := range route.at("spec", "rules").list() {
		name := envoyRouteName(route, i, rule)
		r.names = append(r.names, name)
		r.named[name] = append(r.named[name], route)
		if route.Namespace == "" && r.ends[name] == nil {
			r.ends[name] = route
		}
	}
}

// routeNamed is the HTTPRoute that Istio gives an Envoy route of that name:
// namespace.name.index, or the name of a rule (istio
// pilot/pkg/config/kube/gateway/conversion.go).
func (g *G) routeNamed(name string) (best *Object) {
	r := g.routing()
	if all := r.named[name]; len(all) > 0 {
		best = all[0]
	}
	for i := 0; i < len(name) && len(r.ends) > 0; i++ {
		if o := r.ends[name[i:]]; o != nil && (best == nil || g.index.place[o] < g.index.place[best]) {
			best = o
		}
	}
	return best
}

// leads reports whether a route of a kind to an object attaches to a Gateway of which is says so.
func (g *G) leads(to *Object, kind string, is func(*Object) bool) bool {
	return slices.ContainsFunc(g.routing().to[to], func(route *Object) bool {
		return route.Kind == kind && slices.ContainsFunc(g.gateways(route), is)
	})
}

// granted reports whether a ReferenceGrant lets an object refer to another.
func (g *G) granted(from *Object, to Ref) bool {
	all := g.routing().grants
	one := grant{from.Group, from.Kind, from.Namespace, to}
	kind := one
	kind.to.Name = ""
	return all[one] || all[kind]
}
