package wiring

import (
	"slices"
	"strings"

	"github.com/inferstack/inferstack/internal/lists"
	"github.com/inferstack/inferstack/release"
)

var istioRules = []Rule{
	{
		ID: "istio-weighted-pools", Severity: Warning,
		Doc: "A rule of a route splits traffic between InferencePools on Istio. Older patch versions configure ext_proc once for a rule, with one " +
			"pool's endpoint picker (istio/istio#61594): the split stays right, but the other pools' servers are chosen without scoring, and " +
			"while that one pool has no ready servers all requests of the rule get 503. With --platform istio the version that is named decides.",
		find: func(g *G, r *report) {
			fixed := g.istioFixed("picker-for-each-pool")
			for _, route := range g.Kinds("HTTPRoute") {
				if fixed || !slices.ContainsFunc(g.gateways(route), isIstio) {
					continue
				}
				last := -1
				for _, b := range backends(route) {
					if b.Kind == "InferencePool" && b.others && b.rule != last {
						last = b.rule
						r.add(b.at, b.Ref, "Istio before %s asks one endpoint picker for all pools of a rule", list(release.ComponentNamed("istio").FixedIn("picker-for-each-pool"))).
							fix("upgrade, and name the version with --platform; or give each pool a rule of its own, told apart by a header, or rewrite the model's name with an InferenceModelRewrite")
					}
				}
			}
		},
	},
	{
		ID: "istio-pool-routes", Severity: Warning,
		Doc: "Several routes to InferencePools are on one Gateway of Istio, and --platform istio names a patch version that asks an endpoint " +
			"picker for the first of them only (istio/istio#58392). The others are served without scoring.",
		find: func(g *G, r *report) {
			if _, declared := g.platform[istio]; !declared || g.istioFixed("several-pool-routes") {
				return
			}
			first := map[*Object]*Object{}
			for _, route := range g.Kinds("HTTPRoute") {
				toPool := slices.ContainsFunc(backends(route), func(b backend) bool { return b.Kind == "InferencePool" })
				for _, gateway := range g.gateways(route) {
					switch other := first[gateway]; {
					case !toPool || !isIstio(gateway):
					case other == nil:
						first[gateway] = route
					default:
						r.add(route.in("spec", "parentRefs"), other.Ref, "%s is on %s as well, and Istio %s asks an endpoint picker for one of the two", other.Ref, gateway.Ref, g.platform[istio]).
							fix("upgrade to %s or later", release.ComponentNamed("istio").FixedIn("several-pool-routes")[0])
					}
				}
			}
		},
	},
	{
		ID: "epp-port-not-grpc", Severity: Error,
		Doc: "Istio speaks HTTP/1.1 to a Service port unless its name (grpc-…, http2-…) or its appProtocol (kubernetes.io/h2c, grpc, http2) " +
			"says otherwise. ext_proc is gRPC and cannot work over it; nothing reports it.",
		each: of[portUse]{(*G).istioAsks, func(g *G, r *report, u portUse) {
			p := portOf(u.service, u.port)
			if p.is() && len(g.eppsBehind(u.service)) > 0 && !isGRPC(p) {
				r.add(place{u.service, p}, u.at.object.Ref, "Istio takes port %s for plain HTTP, and ext_proc needs gRPC", u.port).fix("set appProtocol: kubernetes.io/h2c, or name it grpc-ext-proc")
			}
		}},
	},
	{
		ID: "epp-tls", Severity: Error,
		Doc: "The endpoint picker serves TLS unless --secure-serving=false. Istio speaks plaintext to it unless a DestinationRule for its " +
			"host says tls.mode SIMPLE. When the two differ no request gets an endpoint.",
		find: findTLS,
	},
}

// istioFixed reports whether the declared version of Istio has a fix for sure.
func (g *G) istioFixed(fix string) bool {
	known := release.ComponentNamed("istio").At(g.platform[istio])
	if known == nil {
		return false
	}
	has, decided := known.Has(fix)
	return has && decided
}

// istioServes reports whether a Gateway of Istio sends requests to the pool.
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
					fix("add a DestinationRule for %s with tls.mode SIMPLE, or start it with --secure-serving=false", u.service.Name)
			case !secure && mode != "":
				r.add(rule.in("spec", "trafficPolicy"), e.pods.Ref, "Istio speaks TLS to %s, which is started with --secure-serving=false", e.pods.Ref).
					fix("drop the DestinationRule's tls, or the flag")
			}
		}
	}
}

// istioAsks are the ports by which Istio's gateways ask endpoint pickers.
func (g *G) istioAsks() []portUse {
	return lists.Where(append(g.pickerPorts(), g.addresses...), func(u portUse) bool {
		return u.at.object.Kind == "EnvoyFilter" || u.at.object.Kind == "InferencePool" && g.istioServes(u.at.object)
	})
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
