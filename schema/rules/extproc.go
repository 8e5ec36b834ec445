package rules

import (
	"cmp"
	"slices"
	"strings"

	gwapiv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/inferstack/inferstack/finding"
	"github.com/inferstack/inferstack/release"
	"github.com/inferstack/inferstack/schema"
)

// extProcFits checks that the gateway can be told to ask the EPP in the way the spec says.
func extProcFits(s stack) (out []schema.Problem) {
	for _, g := range s.gatewaysAt() {
		filters := g.Row().EnvoyFilter
		field, why := g.MissesPools()
		switch {
		case g.ExtProc == "envoyFilter" && !filters && !g.Standalone():
			out = append(out, s.Problem(schema.Error, g.path+".extProc", "an EnvoyFilter works with class istio only; leave it out for class %s, which understands InferencePool", g.Class))
		case why != "" && filters && g.ExtProc == "native", why != "" && !filters && s.Routed() && s.Scored():
			out = append(out, s.Problem(schema.Error, g.path+"."+field, "%s", why))
		case filters && !g.UsesEnvoyFilter() && s.Has(g.path+".envoyFilter"):
			out = append(out, s.Problem(schema.Error, g.path+".envoyFilter", "is not used, for this Istio understands InferencePool; remove it, or set extProc: envoyFilter"))
		}
		if s.Routed() && s.Scored() && !s.Spec.Scheduler.SecureServing {
			out = append(out, s.plainPicker(g)...)
		}
		if g.UsesEnvoyFilter() && s.Routed() && s.Scored() {
			out = append(out, s.envoyFilterFits(g)...)
		}
	}
	return out
}

// plainPicker reports an EPP without TLS behind gateways that speak TLS to it.
func (s stack) plainPicker(g gatewayAt) []schema.Problem {
	if severity, why := g.Row().PlainPicker.Severity, g.Row().PlainPicker.Why; why != "" {
		return []schema.Problem{s.Problem(severity, schedulerPath+".secureServing", "%s", why)}
	}
	return nil
}

// envoyFilterFits says what an EnvoyFilter cannot do.
func (s stack) envoyFilterFits(g gatewayAt) (out []schema.Problem) {
	if s.Metadata.Namespace == "" {
		out = append(out, s.Problem(schema.Error, "metadata.namespace", "is required because %s is wired by an EnvoyFilter, which names the EPP with its namespace", schema.Path(g.path)))
	}
	out = append(out, s.filteredBackends(g)...)
	if !g.Istio.Has("full-duplex-bodies") {
		out = append(out, s.Problem(schema.Error, g.path+".istio.version", "must be %s or later: the proxy of Istio %s does not know ext_proc's body mode FULL_DUPLEX_STREAMED, which the EPP needs", schema.IstioSince("full-duplex-bodies"), g.Istio.Version))
	}
	if s.Spec.Scheduler.FailureMode == "FailOpen" && s.Has(schedulerPath+".failureMode") {
		out = append(out, s.Problem(schema.Warning, "spec.scheduler.failureMode", "FailOpen has no effect with an EnvoyFilter: without the EPP's choice there is no server to go to, and the gateway answers 503"))
	}
	return out
}

// filteredBackends refuses pools that an EnvoyFilter does not lead to: it sends all requests of
// a rule where this stack's EPP says.
func (s stack) filteredBackends(g gatewayAt) (out []schema.Problem) {
	if len(s.Spec.Route.Split) > 0 {
		return []schema.Problem{s.Problem(schema.Error, "spec.route.split", "does not work with an EnvoyFilter, which sends all of the route's requests to one pool; tell the pools apart by route.matches, a stack for each")}
	}
	for _, r := range s.RouteRules() {
		for _, b := range r.Backends {
			switch {
			case !b.Own && !b.IsService():
				out = append(out, s.Problem(schema.Error, b.Path, "is a pool, which %s does not lead to by itself; write the rule into the stack of that pool", schema.Path(g.path)))
			case b.Own && !b.IsService() && len(r.Backends) > 1:
				out = append(out, s.Problem(schema.Error, b.Path, "cannot share the requests of a rule with others where an EnvoyFilter asks the EPP: it takes them all; give it a rule of its own"))
			}
		}
	}
	return out
}

// splitFits looks at pools that share the traffic of a route.
func splitFits(s stack) (out []schema.Problem) {
	for _, r := range s.RouteRules() {
		out = append(out, s.shares(&r)...)
	}
	if len(out) > 0 {
		return out
	}
	for _, g := range s.gatewaysAt() {
		if g.Row().EnvoyFilter && !g.UsesEnvoyFilter() && s.Scored() {
			out = append(out, s.corsFilters()...)
		}
		if g.Row().EnvoyFilter && !g.UsesEnvoyFilter() && s.Leads(schema.BackendPool) {
			out = append(out, s.istioLacks(g)...)
		}
		if why := g.Row().OnePort; why != "" && s.Leads(schema.BackendPool) && s.rankedAt() != "" {
			out = append(out, s.Problem(schema.Warning, s.rankedAt(), "%s", why))
		}
	}
	return out
}

// shares refuses weights of a rule that sum to nothing, and a backend that has two of them.
func (s stack) shares(r *schema.PlannedRule) (out []schema.Problem) {
	total, several := int32(0), len(s.Spec.Route.Rules) > 0
	for _, b := range r.Backends {
		total += b.Weight
	}
	switch {
	case total > 0 || len(r.Backends) == 0 || len(s.gatewaysAt()) == 0:
	case several:
		return []schema.Problem{s.Problem(schema.Error, r.Backends[0].Path+".weight", "is 0, and so is every other weight of the rule: no request would be answered")}
	default:
		return []schema.Problem{s.Problem(schema.Error, "spec.route.weight", "is 0, and so is every other weight: no request would be answered")}
	}
	var seen []schema.RouteBackend
	for _, b := range r.Backends {
		key := schema.RouteBackend{Kind: b.Kind, Name: b.Name, Namespace: cmp.Or(b.Namespace, s.Metadata.Namespace)}
		if twice := slices.Contains(seen, key); twice && several {
			out = append(out, s.Problem(schema.Error, b.Path, "has a share already; give each backend one weight"))
		} else if twice {
			name := cmp.Or(b.Name, s.Spec.Pool.Name, s.Metadata.Name)
			out = append(out, s.Problem(schema.Error, b.Path+".pool", "%s has a share already; give each pool one weight, and this stack's own by route.weight", name))
		}
		seen = append(seen, key)
	}
	return out
}

// corsFilters warns of a filter with which Istio forgets the EPP: it makes the route's
// per-filter configuration anew after ext_proc was put there
// (pilot/pkg/networking/core/route/route.go). An EnvoyFilter is not affected.
func (s stack) corsFilters() (out []schema.Problem) {
	for _, r := range s.RouteRules() {
		i := slices.IndexFunc(r.Filters, func(f gwapiv1.HTTPRouteFilter) bool { return f.Type == gwapiv1.HTTPRouteFilterCORS })
		if i >= 0 && slices.ContainsFunc(r.Backends, func(b schema.PlannedBackend) bool { return !b.IsService() }) {
			out = append(out, s.Problem(schema.Warning, finding.Indexed(r.Path+".filters", i)+".type", "CORS on a route to an InferencePool turns scoring off on Istio, and prefill servers are sent plain requests; answer CORS before the gateway, or set gateway.extProc: envoyFilter"))
		}
	}
	return out
}

// istioLacks warns of what the declared patch version of Istio does wrong with pools. A
// version without a patch number is taken to be the newest of its minor version, which the
// warning asks for.
func (s stack) istioLacks(g gatewayAt) (out []schema.Problem) {
	istio := release.ComponentNamed("istio")
	known := istio.At(g.Istio.Version)
	shared := s.sharedAt()
	for _, fault := range []struct {
		fix, at, what string
		meets         bool
	}{
		{"picker-for-each-pool", shared, "asks one EPP for all pools of a split: the others' servers are chosen without scoring, and while the pool of that EPP is empty the gateway answers 503 for all", shared != ""},
		{"several-pool-routes", g.path + ".existing", "asks an EPP for the first route with a pool only: with another stack on this Gateway scoring is off for one", g.Existing},
		{"several-target-ports", s.rankedAt(), "sends to the first of a pool's target ports only, and the EPP picks among all", s.rankedAt() != ""},
	} {
		if has, decided := known.Has(fault.fix); fault.meets && (!has || !decided) {
			out = append(out, s.Problem(schema.Warning, fault.at, "is served by Istio from %s on; before, it %s (istio.version is %s)", strings.Join(istio.FixedIn(fault.fix), ", "), fault.what, g.Istio.Version))
		}
	}
	return out
}

// rankedAt is the field that gives the pool several target ports, or "".
func (s stack) rankedAt() string {
	if len(s.Spec.Pool.TargetPorts) > 1 {
		return "spec.pool.targetPorts"
	}
	for _, r := range s.Workloads() {
		if len(s.Spec.Pool.TargetPorts) == 0 && s.Spec.Server.Create && s.rankPorts(r.Role) > 1 {
			return r.Path + ".parallelism.data"
		}
	}
	return ""
}

// sharedAt is the field by which several pools share the requests of a rule, or "".
func (s stack) sharedAt() string {
	if len(s.Spec.Route.Split) > 0 {
		return "spec.route.split"
	}
	for _, r := range s.RouteRules() {
		pools := 0
		for _, b := range r.Backends {
			if !b.IsService() {
				pools++
			}
		}
		if pools > 1 {
			return r.Path + ".backendRefs"
		}
	}
	return ""
}
