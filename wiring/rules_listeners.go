package wiring

import (
	"slices"

	"github.com/inferstack/inferstack/schema"
)

// gatewayClasses are those that inference gateways come with: the compiler's, and those of
// GKE, Envoy Gateway, Envoy AI Gateway and NGINX Gateway Fabric that it does not write.
func gatewayClasses() []string {
	names := []string{"gke-l7-global-external-managed", "envoy-gateway", "envoy-ai-gateway", "nginx"}
	for _, c := range schema.GatewayClasses {
		names = append(names, c.Names...)
	}
	return names
}

var listenerRules = []Rule{
	{
		ID: "gateway-class", Severity: Warning,
		Doc: "A Gateway's class has nearly the name of one that is known, and no such GatewayClass is in the set. No controller takes the " +
			"Gateway, and nothing reports it.",
		each: ofKinds{[]string{"Gateway"}, func(g *G, r *report, gateway *Object) {
			class := gateway.at("spec", "gatewayClassName")
			meant := Near(class.text(), gatewayClasses())
			if meant != "" && meant != class.text() && g.Object(Ref{Kind: "GatewayClass", Name: class.text()}) == nil {
				r.add(place{gateway, class}, Ref{}, "there is likely no class %s", class.text()).fix("did you mean %s?", meant)
			}
		}},
	},
	{
		ID: "listener-protocol", Severity: Error,
		Doc: "A listener's protocol is nearly one of the Gateway API, such as http for HTTP, which the API server takes and no controller knows; or " +
			"it is HTTPS or TLS without tls, and so without a certificate, unless the Gateway has a certificate map of Google Cloud. The listener " +
			"serves nothing. Of a class that is not known here a listener without tls is a warning.",
		each: ofKinds{[]string{"Gateway"}, func(g *G, r *report, gateway *Object) {
			for _, l := range gateway.at("spec", "listeners").list() {
				findProtocol(r, gateway, l)
			}
		}},
	},
	{
		ID: "listener-conflict", Severity: Error,
		Doc: "Two listeners of a Gateway have the same port, protocol and host name, or protocols that cannot share a port. The API server " +
			"refuses the first, and the controller says Conflicted=True to both (Gateway API, Listener).",
		each: ofKinds{[]string{"Gateway"}, func(g *G, r *report, gateway *Object) {
			all := gateway.at("spec", "listeners").list()
			for i, l := range all {
				for _, other := range all[:i] {
					if conflict(l, other) {
						r.add(place{gateway, l.at("port")}, Ref{}, "listeners %s and %s want the same place", other.at("name").text(), l.at("name").text()).
							fix("give them different ports or host names")
					}
				}
			}
		}},
	},
}

// protocols are those of listeners (gateway-api v1.6.0 apis/v1, ProtocolType); others have a prefix, but for
// HBONE, which is Istio's.
var protocols = []string{"HTTP", "HTTPS", "TLS", "TCP", "UDP"}

func findProtocol(r *report, gateway *Object, listener field) {
	protocol := listener.at("protocol")
	meant := Near(protocol.text(), protocols)
	switch {
	case meant != "" && meant != protocol.text():
		r.add(place{gateway, protocol}, Ref{}, "there is no protocol %s", protocol.text()).fix("did you mean %s?", meant)
	case (meant == "HTTPS" || meant == "TLS") && !listener.at("tls").is() && !gateway.at("metadata", "annotations", "networking.gke.io/certmap").is():
		f := r.add(place{gateway, protocol}, Ref{}, "listener %s of %s has no tls", listener.at("name").text(), meant)
		if !slices.Contains(gatewayClasses(), gateway.at("spec", "gatewayClassName").text()) {
			f.warn()
		}
		f.fix("add tls: {certificateRefs: [{name: …}]} with the Secret of the certificate")
	}
}

func conflict(a, b field) bool {
	if a.at("port").text() != b.at("port").text() || templated(a.at("port").text()) {
		return false
	}
	x, y := a.at("protocol").text(), b.at("protocol").text()
	if x == y {
		return a.at("hostname").text() == b.at("hostname").text()
	}
	// One port can tell these two apart; those that are not HTTP's are left to the controller.
	tls := []string{"HTTPS", "TLS"}
	return slices.Contains([]string{"HTTP", "HTTPS"}, x) && slices.Contains([]string{"HTTP", "HTTPS", "TLS", "TCP"}, y) &&
		(!slices.Contains(tls, x) || !slices.Contains(tls, y))
}

// takes reports whether a listener takes routes of this kind: of those that it names, or else of its protocol.
func takes(listener field, route *Object) bool {
	switch listener.at("protocol").text() {
	case "TCP", "UDP", "TLS":
		return false
	}
	kinds := listener.at("allowedRoutes", "kinds").list()
	for _, k := range kinds {
		if k.at("kind").text() == route.Kind && k.at("group").or(gatewayGroup) == gatewayGroup {
			return true
		}
	}
	return len(kinds) == 0
}

// linkNamespace makes a prerequisite of the labels of the route's namespace, where a listener asks for some that the set
// does not show.
func (g *G) linkNamespace(route *Object, p parent) {
	gateway := g.Object(p.Ref)
	if gateway == nil || g.Object(Ref{Kind: "Namespace", Name: route.Namespace}) != nil || route.Namespace == "" {
		return
	}
	for _, l := range listeners(gateway, p) {
		allowed := l.at("allowedRoutes", "namespaces")
		if allowed.at("from").text() != "Selector" || byName(allowed) {
			return
		}
	}
	if len(listeners(gateway, p)) > 0 {
		to := Ref{Kind: "Namespace", Name: route.Namespace}
		g.Edges = append(g.Edges, Edge{From: route.Ref, To: to, Type: "is let in by the labels of", State: Prerequisite, at: p.at})
	}
}

// byName reports whether a selector asks for the label that every namespace has, its name.
func byName(allowed field) bool {
	match := allowed.at("selector", "matchLabels")
	return len(match.keys()) == 1 && match.at("kubernetes.io/metadata.name").is() && !allowed.at("selector", "matchExpressions").is()
}
