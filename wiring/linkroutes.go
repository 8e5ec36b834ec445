package wiring

import (
	"net/url"
	"strings"
)

const (
	gatewayGroup = "gateway.networking.k8s.io"
	poolGroup    = "inference.networking.k8s.io"
	poolGroupOld = "inference.networking.x-k8s.io"
	gatewayLabel = gatewayGroup + "/gateway-name"
)

func linkPool(g *G, o *Object) {
	g.linkSelected(o, g.selected(o, poolSelector(o)))
	ref := o.at("spec", "endpointPickerRef")
	if !ref.is() {
		ref = o.at("spec", "extensionRef")
	}
	to := Ref{Group: ref.at("group").text(), Kind: ref.at("kind").or("Service"), Namespace: o.Namespace, Name: ref.at("name").text()}
	g.link(place{o, ref.at("name")}, to, "asks", eppPort(ref).text())
}

// poolSelector is the matchLabels of v1, or the flat map of v1alpha2.
func poolSelector(pool *Object) field {
	if m := pool.at("spec", "selector", "matchLabels"); m.is() || pool.Group == poolGroup {
		return m
	}
	return pool.at("spec", "selector")
}

func eppPort(ref field) field {
	if p := ref.at("port", "number"); p.is() {
		return p
	}
	return ref.at("portNumber")
}

func linkPoolRef(g *G, o *Object) {
	ref := o.at("spec", "poolRef")
	g.link(place{o, ref.at("name")}, Ref{Group: ref.at("group").text(), Kind: ref.at("kind").or("InferencePool"), Namespace: o.Namespace, Name: ref.at("name").text()}, "belongs to", "")
}

func linkTarget(g *G, o *Object) {
	ref := o.at("spec", "targetRef")
	g.link(place{o, ref.at("name")}, Ref{Group: ref.at("group").text(), Kind: ref.at("kind").text(), Namespace: o.Namespace, Name: ref.at("name").text()}, "configures", "")
}

func linkGateway(g *G, o *Object) {
	g.link(o.in("spec", "gatewayClassName"), Ref{Kind: "GatewayClass", Name: o.at("spec", "gatewayClassName").text()}, "is of class", "")
	ref := o.at("spec", "infrastructure", "parametersRef")
	g.link(place{o, ref.at("name")}, Ref{Group: ref.at("group").text(), Kind: ref.at("kind").text(), Namespace: o.Namespace, Name: ref.at("name").text()}, "is configured by", "")
	for _, l := range o.at("spec", "listeners").list() {
		for _, c := range l.at("tls", "certificateRefs").list() {
			g.link(place{o, c.at("name")}, Ref{Kind: c.at("kind").or("Secret"), Namespace: c.at("namespace").or(o.Namespace), Name: c.at("name").text()}, "serves with", "")
		}
	}
}

// attaches is the type of the edge from a route to its Gateway.
const attaches = "attaches to"

func linkRoute(g *G, o *Object) {
	for _, p := range parents(o) {
		g.link(p.at, p.Ref, attaches, p.section.text())
		g.linkNamespace(o, p)
	}
	for _, b := range backends(o) {
		g.link(b.at, b.Ref, "routes to", b.port.text())
	}
}

// A parent is a Gateway that a route attaches to.
type parent struct {
	Ref
	at            place
	section, port field
}

func parents(route *Object) (out []parent) {
	for _, p := range route.at("spec", "parentRefs").list() {
		if kind := p.at("kind").or("Gateway"); kind == "Gateway" {
			ref := Ref{Group: p.at("group").or(gatewayGroup), Kind: kind, Namespace: p.at("namespace").or(route.Namespace), Name: p.at("name").text()}
			out = append(out, parent{ref, place{route, p.at("name")}, p.at("sectionName"), p.at("port")})
		}
	}
	return out
}

// A backend is what a rule of a route sends requests to.
type backend struct {
	Ref
	at   place
	port field
	rule int
	// others says that the rule splits traffic.
	others bool
}

func backends(route *Object) (out []backend) {
	for i, rule := range route.at("spec", "rules").list() {
		refs := rule.at("backendRefs").list()
		for _, b := range refs {
			ref := Ref{Group: b.at("group").text(), Kind: b.at("kind").or("Service"), Namespace: b.at("namespace").or(route.Namespace), Name: b.at("name").text()}
			out = append(out, backend{ref, place{route, b.at("name")}, b.at("port"), i, len(refs) > 1})
		}
	}
	return out
}

// gateways are those of the set that a route attaches to.
func (g *G) gateways(route *Object) (out []*Object) {
	for _, p := range parents(route) {
		if o := g.Object(p.Ref); o != nil {
			out = append(out, o)
		}
	}
	return out
}

// isIstio reports whether Istio runs the Gateway.
func isIstio(gateway *Object) bool {
	return strings.HasPrefix(gateway.at("spec", "gatewayClassName").text(), "istio")
}

// serviceOf takes a host name apart; ok says that it is a Service's.
func serviceOf(host, namespace string) (Ref, bool) {
	labels := strings.Split(host, ".")
	switch {
	case host == "" || strings.Contains(host, "*") || host == "localhost":
		return Ref{}, false
	case len(labels) == 1:
		return Ref{Kind: "Service", Namespace: namespace, Name: host}, true
	case len(labels) >= 3 && labels[2] == "svc":
		return Ref{Kind: "Service", Namespace: labels[1], Name: labels[0]}, true
	default:
		return Ref{}, false
	}
}

// linkURL follows an address such as http://name.namespace.svc:8000. A bare name may be
// a host of any kind, so it counts only when it has such a Service or one of a near name.
func (g *G) linkURL(from place, namespace, address, kind string) {
	u, err := url.Parse(address)
	if err != nil || templated(address) {
		return
	}
	if to, ok := serviceOf(u.Hostname(), namespace); ok {
		if _, near := g.absent(to); g.Object(to) == nil && near == "" && !strings.Contains(u.Hostname(), ".") {
			return
		}
		if o := g.link(from, to, kind, u.Port()); o != nil {
			g.addresses = append(g.addresses, portUse{from, o, u.Port(), false})
		}
	}
}

// A portUse is a port of a Service that something names.
type portUse struct {
	at      place
	service *Object
	port    string
	// asks says that a port has to be named.
	asks bool
}
