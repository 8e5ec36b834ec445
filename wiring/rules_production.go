package wiring

import (
	"slices"
	"strings"
	"time"

	"github.com/inferstack/inferstack/internal/pattern"
)

// gatewayRules are about what gateways do in production with endpoint pickers and pools.
var gatewayRules = []Rule{
	{
		ID: "ext-proc-ping", Severity: Error,
		Doc: "A cluster by which Envoy asks the endpoint picker sends HTTP/2 PINGs more often than every 5 minutes (connection_keepalive). The " +
			"picker's gRPC server takes that for abuse and closes the connection (too_many_pings) when an answer streams nothing for two " +
			"minutes: the request dies.",
		find: func(g *G, r *report) {
			for _, u := range g.picks() {
				frequentPings(r, u.proxy.configAt, u.cluster)
			}
			for _, f := range g.envoyFilters() {
				frequentPings(r, f.Object, f.Object.at("spec", "configPatches"))
			}
		},
	},
	{
		ID: "gateway-picker-tls", Severity: Error,
		Doc: "The endpoint picker is started with --secure-serving=false, and its pool is served by agentgateway, which always speaks TLS to it: " +
			"every request fails. For kgateway, which does so by default, it is a warning.",
		each: visit3[*Object, *Object, *Object]{eachPoolRoute, func(g *G, r *report, pool, _, gateway *Object) {
			class := gateway.at("spec", "gatewayClassName").text()
			if class != "agentgateway" && class != "kgateway" {
				return
			}
			for _, e := range g.pickers(pool) {
				if f, ok := e.given("secure-serving"); ok && !e.on("secure-serving", true) && !templated(f.value) {
					found := r.add(e.pods.place(f.at), gateway.Ref, "%s speaks TLS to the endpoint picker, which serves plaintext", class)
					found.fix("leave --secure-serving out")
					if class == "kgateway" {
						found.Severity = Warning
					}
				}
			}
		}},
	},
	{
		ID: "istio-cors", Severity: Warning,
		Doc: "A rule with a CORS filter leads to an InferencePool on Istio. Istio writes the rule's filter settings anew after it has put " +
			"ext_proc there, so that the endpoint picker is not asked: scoring is off.",
		each: visit3[*Object, *Object, *Object]{eachPoolRoute, func(g *G, r *report, pool, route, gateway *Object) {
			for _, rule := range route.at("spec", "rules").list() {
				for _, filter := range rule.at("filters").list() {
					if filter.at("type").text() == "CORS" && isIstio(gateway) {
						r.add(place{route, filter}, pool.Ref, "with a CORS filter Istio does not ask the endpoint picker of %s", pool.Ref).fix("answer CORS elsewhere, or put ext_proc there by an EnvoyFilter")
					}
				}
			}
		}},
	},
	{
		ID: "gke-health-check", Severity: Warning,
		Doc: "GKE serves a pool for which no HealthCheckPolicy is in the set, and checks / on the pool's port then, which model servers answer " +
			"with 404: no server is healthy. Or its HealthCheckPolicy asks another port than the pool has.",
		each: visit3[*Object, *Object, *Object]{eachPoolRoute, func(g *G, r *report, pool, _, gateway *Object) {
			if !strings.HasPrefix(gateway.at("spec", "gatewayClassName").text(), "gke-") {
				return
			}
			policies := slices.DeleteFunc(g.Kinds("HealthCheckPolicy"), func(o *Object) bool {
				target := o.at("spec", "targetRef")
				return target.at("kind").text() != "InferencePool" || target.at("name").text() != pool.Name || !sameNamespace(o.Namespace, pool.Namespace)
			})
			if len(policies) == 0 {
				r.add(pool.in("metadata", "name"), gateway.Ref, "%s checks / of its servers, for lack of a HealthCheckPolicy", gateway.Ref).fix("add one that asks /health on the pool's port")
			}
			for _, o := range policies {
				port := o.at("spec", "default", "config", "httpHealthCheck", "port")
				if n, ok := port.number(); ok && len(targetPorts(pool)) > 0 && !slices.Contains(targetPorts(pool), n) {
					r.add(place{o, port}, pool.Ref, "asks port %d, which %s does not have", n, pool.Ref).fix("set it to %s", list(texts(targetPorts(pool))))
				}
			}
		}},
	},
}

// podRules are about what pods get wrong in production.
var podRules = []Rule{
	{
		ID: "claim-access", Severity: Warning,
		Doc: "Several replicas mount a claim of the set that one node, or one pod, may mount at a time (ReadWriteOnce, ReadWriteOncePod). Those " +
			"on other nodes wait for ever.",
		each: of[*Pods]{allPods, func(g *G, r *report, p *Pods) {
			if p.replicas() < 2 {
				return
			}
			for _, v := range p.spec.at("volumes").list() {
				name := v.at("persistentVolumeClaim", "claimName")
				claim := g.Object(Ref{Kind: "PersistentVolumeClaim", Namespace: p.Namespace, Name: name.text()})
				if claim == nil || name.text() == "" {
					continue
				}
				modes := claim.at("spec", "accessModes").words()
				if len(modes) > 0 && !slices.ContainsFunc(modes, func(m string) bool { return strings.HasSuffix(m, "Many") || templated(m) }) {
					r.add(p.place(name), claim.Ref, "%d replicas mount %s, which is %s", p.replicas(), claim.Ref, list(modes)).fix("use ReadOnlyMany or ReadWriteMany")
				}
			}
		}},
	},
	{
		ID: "token-in-clear", Severity: Warning,
		Doc: "A variable holds a token or key as plain text: one of Hugging Face (hf_…), or a name that ends in _TOKEN or _API_KEY. Whoever reads " +
			"the manifests has it.",
		each: of[*Pods]{allPods, func(g *G, r *report, p *Pods) {
			for _, c := range p.containers {
				for _, e := range c.at("env").list() {
					name, value := e.at("name").text(), e.at("value")
					if secretValue().MatchString(value.text()) || secretName().MatchString(name) && len(value.text()) >= 12 && !templated(value.text()) {
						r.add(p.place(value), Ref{}, "%s of %s holds its secret in clear", name, c.name).fix("take it from a Secret: valueFrom.secretKeyRef")
					}
				}
			}
		}},
	},
}

var (
	secretValue = pattern.Lazy(`^hf_[A-Za-z0-9]{20,}$`)
	secretName  = pattern.Lazy(`(^|_)(HF|HUGGING_FACE_HUB|VLLM|OPENAI|ANTHROPIC|NGC)_?(HUB_)?(TOKEN|API_KEY)$`)
)

// frequentPings reports keep-alive intervals below a field that gRPC's servers refuse
// (google.golang.org/grpc keepalive.EnforcementPolicy, MinTime).
func frequentPings(r *report, o *Object, below field) {
	below.walk(func(key string, f field) {
		interval := f.at("interval")
		if d, err := time.ParseDuration(interval.text()); key == "connection_keepalive" && err == nil && d < 5*time.Minute {
			r.add(place{o, interval}, Ref{}, "sends a PING every %s, and the endpoint picker closes the connection at more than one in 5m", interval.text()).
				fix("use TCP keep-alive (upstream_connection_options), or an interval of 300s or more")
		}
	})
}

// eachPoolRoute visits the pools that HTTPRoutes lead to, with the Gateways of the set.
func eachPoolRoute(g *G, visit func(pool, route, gateway *Object)) {
	for _, route := range g.Kinds("HTTPRoute") {
		seen := map[Ref]bool{}
		for _, b := range backends(route) {
			pool := g.Object(b.Ref)
			if pool == nil || pool.Kind != "InferencePool" || seen[pool.Ref] {
				continue
			}
			seen[pool.Ref] = true
			for _, gateway := range g.gateways(route) {
				visit(pool, route, gateway)
			}
		}
	}
}
