package wiring

import (
	"slices"
	"strings"
)

var istioRules = []Rule{
	{
		ID: "istio-weighted-pools", Severity: Error,
		Doc: "A rule of a route splits traffic between InferencePools on Istio. Istio configures ext_proc once for a rule, with the endpoint " +
			"picker of the last pool (pilot/pkg/config/kube/gateway/conversion.go, 1.31), so that the other pools' requests get an endpoint " +
			"that is not theirs, while all conditions are True.",
		find: func(g *G, r *report) {
			for _, route := range g.Kinds("HTTPRoute") {
				if !slices.ContainsFunc(g.gateways(route), isIstio) {
					continue
				}
				last := -1
				for _, b := range backends(route) {
					if b.Kind == "InferencePool" && b.others && b.rule != last {
						last = b.rule
						r.add(b.at, b.Ref, "Istio asks one endpoint picker for all backends of a rule").mend("give each pool a rule of its own, told apart by a header, or rewrite the model's name with an InferenceModelRewrite")
					}
				}
			}
		},
	},
	{
		ID: "epp-port-not-grpc", Severity: Error,
		Doc: "Istio speaks HTTP/1.1 to a Service port unless its name (grpc-…, http2-…) or its appProtocol (kubernetes.io/h2c, grpc, http2) " +
			"says otherwise. ext_proc is gRPC and cannot work over it; nothing reports it.",
		find: func(g *G, r *report) {
			for _, u := range g.istioAsks() {
				p := portOf(u.service, u.port)
				if p.is() && len(g.eppsBehind(u.service)) > 0 && !isGRPC(p) {
					r.add(place{u.service, p}, u.at.object.Ref, "Istio takes port %s for plain HTTP, and ext_proc needs gRPC", u.port).mend("set appProtocol: kubernetes.io/h2c, or name it grpc-ext-proc")
				}
			}
		},
	},
	{
		ID: "epp-tls", Severity: Error,
		Doc: "The endpoint picker serves TLS unless --secure-serving=false. Istio speaks plaintext to it unless a DestinationRule for its " +
			"host says tls.mode SIMPLE. When the two differ no request gets an endpoint.",
		find: findTLS,
	},
}

// istioServes says whether a Gateway of Istio sends requests to the pool.
func (g *G) istioServes(pool *Object) bool {
	return g.leads(pool, "HTTPRoute", isIstio)
}

// isGRPC follows Istio's choice of a protocol (pkg/config/kube/conversion.go).
func isGRPC(port field) bool {
	protocol := port.at("appProtocol").text()
	if protocol == "" {
		protocol, _, _ = strings.Cut(port.at("name").text(), "-")
	}
	return slices.Contains([]string{"grpc", "http2", "kubernetes.io/h2c", "grpc-web"}, protocol) || templated(protocol)
}

func findTLS(g *G, r *report) {
	for _, u := range g.istioAsks() {
		if !portOf(u.service, u.port).is() {
			continue // service-port-missing says so
		}
		for _, e := range g.eppsBehind(u.service) {
			flag, _ := e.given("secure-serving")
			if templated(flag.value) {
				continue
			}
			secure := e.on("secure-serving", true)
			rule, mode := g.tlsMode(u.service, u.port)
			switch {
			case secure && mode == "":
				at := u.at
				if rule != nil {
					at = rule.in("spec", "trafficPolicy")
				}
				r.add(at, u.service.Ref, "%s serves TLS on %s, and Istio speaks plaintext to it", e.pods.Ref, u.port).
					mend("add a DestinationRule for %s with tls.mode SIMPLE, or start it with --secure-serving=false", u.service.Name)
			case !secure && mode != "":
				r.add(rule.in("spec", "trafficPolicy"), e.pods.Ref, "Istio speaks TLS to %s, which is started with --secure-serving=false", e.pods.Ref).
					mend("drop the DestinationRule's tls, or the flag")
			}
		}
	}
}

// istioAsks are the ports by which Istio's gateways ask endpoint pickers.
func (g *G) istioAsks() []portUse {
	var out []portUse
	for _, u := range append(g.pickerPorts(), g.addresses...) {
		if u.at.object.Kind == "EnvoyFilter" || u.at.object.Kind == "InferencePool" && g.istioServes(u.at.object) {
			out = append(out, u)
		}
	}
	return out
}

// tlsMode is the TLS that a DestinationRule makes Istio speak to a port, "" for none.
func (g *G) tlsMode(service *Object, port string) (*Object, string) {
	var rule *Object
	for _, o := range g.asking().rules[service] {
		rule = o
		policy := o.at("spec", "trafficPolicy")
		mode := policy.at("tls", "mode").text()
		for _, p := range policy.at("portLevelSettings").list() {
			if p.at("port", "number").text() == port {
				mode = p.at("tls", "mode").text()
			}
		}
		if mode != "" && mode != "DISABLE" {
			return o, mode
		}
	}
	return rule, ""
}
