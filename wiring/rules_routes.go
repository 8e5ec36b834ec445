package wiring

import (
	"slices"
	"strings"

	"github.com/inferstack/inferstack/internal/lists"
	"github.com/inferstack/inferstack/release"
)

var routeRules = []Rule{
	{
		ID: "route-section-missing", Severity: Error,
		Doc: "A route names a listener (sectionName or port) that its Gateway does not have. The controller says Accepted=False, " +
			"NoMatchingParent, and for a pool behind it HTTPRouteNotAccepted.",
		each: visit3[*Object, *Object, parent]{eachParent, func(g *G, r *report, route, gateway *Object, p parent) {
			if len(listeners(gateway, p)) > 0 || templated(p.section.text()+p.port.text()) {
				return
			}
			at, what := p.section, "section "+p.section.text()
			if !at.is() {
				at, what = p.port, "port "+p.port.text()
			}
			r.add(place{route, at}, gateway.Ref, "%s has no listener with %s", gateway.Ref, what).fix("it has %s", list(sections(gateway)))
		}},
	},
	{
		ID: "route-not-allowed", Severity: Error,
		Doc: "A route is in a namespace from which its Gateway's listeners take no routes (allowedRoutes is Same unless it says otherwise), or " +
			"of a kind that they do not take, such as an HTTPRoute at a TCP listener. The controller says Accepted=False, NotAllowedByListeners.",
		each: visit3[*Object, *Object, parent]{eachParent, func(g *G, r *report, route, gateway *Object, p parent) {
			all := listeners(gateway, p)
			kinds := slices.DeleteFunc(slices.Clone(all), func(l field) bool { return !takes(l, route) })
			for _, l := range kinds {
				if admits(g, gateway, l, route) {
					return
				}
			}
			if len(all) > 0 && len(kinds) == 0 {
				r.add(p.at, gateway.Ref, "%s takes no %s", gateway.Ref, route.Kind).fix("give the listener protocol HTTP or HTTPS, and leave allowedRoutes.kinds out")
			} else if len(all) > 0 {
				r.add(p.at, gateway.Ref, "%s takes no routes from namespace %s", gateway.Ref, route.Namespace).fix("set allowedRoutes.namespaces of the listener to from: All, or to a Selector")
			}
		}},
	},
	{
		ID: "route-hostname-mismatch", Severity: Error,
		Doc: "None of a route's host names fits the listener's. The controller says Accepted=False, NoMatchingListenerHostname.",
		each: visit3[*Object, *Object, parent]{eachParent, func(g *G, r *report, route, gateway *Object, p parent) {
			names := route.at("spec", "hostnames").words()
			for _, l := range listeners(gateway, p) {
				if hostsMeet(l.at("hostname").text(), names) {
					return
				}
			}
			if len(names) > 0 && len(listeners(gateway, p)) > 0 {
				r.add(route.in("spec", "hostnames"), gateway.Ref, "%s fits no listener of %s", list(names), gateway.Ref).fix("use a host name below the listener's")
			}
		}},
	},
	{
		ID: "backend-group", Severity: Error,
		Doc: "A route's backendRef is of kind InferencePool and has no group, which makes it one of the core group, where there is none. The gateway " +
			"reports InvalidKind and answers 500.",
		each: ofKinds{[]string{"HTTPRoute", "GRPCRoute"}, func(g *G, r *report, o *Object) {
			for _, rule := range o.at("spec", "rules").list() {
				for _, b := range rule.at("backendRefs").list() {
					if b.at("kind").text() == "InferencePool" && b.at("group").text() == "" {
						r.add(place{o, b.at("kind")}, Ref{}, "the backendRef to InferencePool %s has no group", b.at("name").text()).fix("add group: %s", poolGroup)
					}
				}
			}
		}},
	},
	{
		ID: "reference-grant-missing", Severity: Error,
		Doc: "A route sends requests to a backend in another namespace, and no ReferenceGrant there allows it. The controller says " +
			"ResolvedRefs=False, RefNotPermitted. The same holds for a Gateway's certificate.",
		find: findGrants,
	},
	{
		ID: "gke-route-timeouts", Severity: Error,
		Doc: "GKE's gateway refuses an HTTPRoute with timeouts (kserve/kserve#5707); the timeout belongs into a GCPBackendPolicy.",
		each: ofKinds{[]string{"HTTPRoute"}, func(g *G, r *report, route *Object) {
			for _, gateway := range g.gateways(route) {
				if !strings.HasPrefix(gateway.at("spec", "gatewayClassName").text(), "gke-") {
					continue
				}
				for _, rule := range route.at("spec", "rules").list() {
					if t := rule.at("timeouts"); t.is() {
						r.add(place{route, t}, gateway.Ref, "GKE refuses a route with timeouts").fix("leave timeouts out and set timeoutSec of a GCPBackendPolicy")
					}
				}
			}
		}},
	},
	{
		ID: "kgateway-pool", Severity: Info,
		Doc: "A Gateway of class kgateway sends requests to an InferencePool. kgateway did that up to 2.1; from 2.2 on its Envoy does not " +
			"and agentgateway does. Manifests do not show which version runs.",
		each: ofKinds{[]string{"HTTPRoute"}, func(g *G, r *report, route *Object) {
			for _, b := range backends(route) {
				for _, gateway := range g.gateways(route) {
					if b.Kind == "InferencePool" && gateway.at("spec", "gatewayClassName").text() == "kgateway" {
						r.add(b.at, gateway.Ref, "class kgateway knows InferencePool only before kgateway %s", release.ComponentNamed("kgateway").Ends("inference-pools")).fix("use class agentgateway with a newer one")
					}
				}
			}
		}},
	},
}

// eachParent visits the Gateways of the set that routes attach to.
func eachParent(g *G, visit func(route, gateway *Object, p parent)) {
	for _, route := range g.Kinds("HTTPRoute", "GRPCRoute") {
		for _, p := range parents(route) {
			if gateway := g.Object(p.Ref); gateway != nil && gateway.at("spec", "listeners").is() {
				visit(route, gateway, p)
			}
		}
	}
}

// listeners are those that a parent reference asks for.
func listeners(gateway *Object, p parent) []field {
	return lists.Where(gateway.at("spec", "listeners").list(), func(l field) bool {
		return (!p.section.is() || p.section.text() == l.at("name").text()) && (!p.port.is() || p.port.text() == l.at("port").text())
	})
}

func sections(gateway *Object) []string {
	return lists.Map(gateway.at("spec", "listeners").list(), func(l field) string {
		return l.at("name").text() + " (" + l.at("port").text() + ")"
	})
}

// admits reports whether a listener takes a route. A selector is asked only when the
// namespace is in the set.
func admits(g *G, gateway *Object, listener field, route *Object) bool {
	allowed := listener.at("allowedRoutes", "namespaces")
	switch allowed.at("from").or("Same") {
	case "Same":
		return sameNamespace(gateway.Namespace, route.Namespace)
	case "Selector":
		ns := g.Object(Ref{Kind: "Namespace", Name: route.Namespace})
		labels := map[string]string{"kubernetes.io/metadata.name": route.Namespace}
		if ns != nil {
			for k, v := range ns.labels {
				labels[k] = v
			}
		} else if !byName(allowed) {
			return true
		}
		return selectsAll(allowed.at("selector"), labels)
	case "None":
		return false
	default:
		return true
	}
}

// hostsMeet reports whether a listener's host name and one of the route's overlap.
func hostsMeet(listener string, route []string) bool {
	if listener == "" || len(route) == 0 {
		return true
	}
	return slices.ContainsFunc(route, func(name string) bool {
		return name == listener || below(name, listener) || below(listener, name) || templated(name+listener)
	})
}

// below reports whether a name is covered by a wildcard.
func below(name, wildcard string) bool {
	suffix, ok := strings.CutPrefix(wildcard, "*")
	return ok && strings.HasSuffix(name, suffix)
}

func findGrants(g *G, r *report) {
	for _, o := range g.Kinds("HTTPRoute", "GRPCRoute") {
		for _, b := range backends(o) {
			if !sameNamespace(b.Namespace, o.Namespace) && !g.granted(o, b.Ref) {
				r.add(b.at, b.Ref, "%s is in another namespace, and no ReferenceGrant there allows it", b.Ref).
					fix("add a ReferenceGrant in %s from %s in %s to %s", b.Namespace, o.Kind, o.Namespace, b.Kind)
			}
		}
	}
	for _, e := range g.Edges {
		if e.Type == "serves with" && !sameNamespace(e.From.Namespace, e.To.Namespace) && !g.granted(e.at.object, e.To) {
			r.add(e.at, e.To, "%s is in another namespace, and no ReferenceGrant there allows it", e.To).
				fix("add a ReferenceGrant in %s from Gateway in %s to Secret", e.To.Namespace, e.From.Namespace)
		}
	}
}
