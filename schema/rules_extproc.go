package schema

import (
	"cmp"
	"strings"

	"github.com/inferstack/inferstack/release"
)

// extProcFits checks that the gateway can be told to ask the EPP in the way the spec says.
func extProcFits(s *Stack) []Problem {
	var out []Problem
	for _, g := range s.gatewaysAt() {
		filters := g.Row().EnvoyFilter
		field, why := g.missesPools()
		switch {
		case g.ExtProc == "envoyFilter" && !filters && !g.Standalone():
			out = append(out, s.Problem(Error, g.path+".extProc", "an EnvoyFilter works with class istio only; leave it out for class %s, which understands InferencePool", g.Class))
		case why != "" && filters && g.ExtProc == "native", why != "" && !filters && s.routed() && s.Scored():
			out = append(out, s.Problem(Error, g.path+"."+field, "%s", why))
		case filters && !g.UsesEnvoyFilter() && s.Has(g.path+".envoyFilter"):
			out = append(out, s.Problem(Error, g.path+".envoyFilter", "is not used, for this Istio understands InferencePool; remove it, or set extProc: envoyFilter"))
		}
		if s.routed() && s.Scored() && !s.Spec.Scheduler.SecureServing {
			out = append(out, s.plainPicker(g)...)
		}
		if g.UsesEnvoyFilter() && s.routed() && s.Scored() {
			out = append(out, s.envoyFilterFits(g)...)
		}
	}
	return out
}

// plainPicker reports an EPP without TLS behind gateways that speak TLS to it.
func (s *Stack) plainPicker(g gatewayAt) []Problem {
	if severity, why := g.Row().PlainPicker.Severity, g.Row().PlainPicker.Why; why != "" {
		return []Problem{s.Problem(severity, schedulerPath+".secureServing", "%s", why)}
	}
	return nil
}

// routed reports whether the gateways get a route.
func (s *Stack) routed() bool { return s.Spec.Route.Enabled }

// envoyFilterFits says what an EnvoyFilter cannot do.
func (s *Stack) envoyFilterFits(g gatewayAt) []Problem {
	var out []Problem
	if s.Metadata.Namespace == "" {
		out = append(out, s.Problem(Error, "metadata.namespace", "is required because %s is wired by an EnvoyFilter, which names the EPP with its namespace", Path(g.path)))
	}
	if len(s.Spec.Route.Split) > 0 {
		out = append(out, s.Problem(Error, "spec.route.split", "does not work with an EnvoyFilter, which sends all of the route's requests to one pool; tell the pools apart by route.matches, a stack for each"))
	}
	if !g.Istio.has("full-duplex-bodies") {
		out = append(out, s.Problem(Error, g.path+".istio.version", "must be %s or later: the proxy of Istio %s does not know ext_proc's body mode FULL_DUPLEX_STREAMED, which the EPP needs", istioSince("full-duplex-bodies"), g.Istio.Version))
	}
	if s.Spec.Scheduler.FailureMode == "FailOpen" && s.Has(schedulerPath+".failureMode") {
		out = append(out, s.Problem(Warning, "spec.scheduler.failureMode", "FailOpen has no effect with an EnvoyFilter: without the EPP's choice there is no server to go to, and the gateway answers 503"))
	}
	return out
}

// splitFits looks at pools that share the traffic of a route.
func splitFits(s *Stack) []Problem {
	route := &s.Spec.Route
	total := route.Weight
	for _, other := range route.Split {
		total += other.Weight
	}
	if total == 0 && len(s.gatewaysAt()) > 0 {
		return []Problem{s.Problem(Error, "spec.route.weight", "is 0, and so is every other weight: no request would be answered")}
	}
	out := s.ownPoolAgain()
	for _, g := range s.gatewaysAt() {
		if g.Row().EnvoyFilter && !g.UsesEnvoyFilter() && s.Scored() {
			out = append(out, s.corsFilters()...)
		}
		if g.Row().EnvoyFilter && !g.UsesEnvoyFilter() && route.Backend == "pool" {
			out = append(out, s.istioLacks(g)...)
		}
	}
	return out
}

// ownPoolAgain refuses this stack's own pool among those that share its traffic.
func (s *Stack) ownPoolAgain() []Problem {
	var out []Problem
	seen := map[string]bool{s.Metadata.Namespace + "/" + cmp.Or(s.Spec.Pool.Name, s.Metadata.Name): true}
	for i, other := range s.Spec.Route.Split {
		pool := cmp.Or(other.Namespace, s.Metadata.Namespace) + "/" + other.Pool
		if seen[pool] {
			out = append(out, s.Problem(Error, indexed("spec.route.split", i)+".pool", "%s has a share already; give each pool one weight, and this stack's own by route.weight", other.Pool))
		}
		seen[pool] = true
	}
	return out
}

// corsFilters warns of a filter with which Istio forgets the EPP: it makes the route's
// per-filter configuration anew after ext_proc was put there
// (pilot/pkg/networking/core/route/route.go). An EnvoyFilter is not affected.
func (s *Stack) corsFilters() []Problem {
	for i, filter := range s.Spec.Route.Filters {
		if filter.Type == "CORS" {
			return []Problem{s.Problem(Warning, indexed("spec.route.filters", i)+".type", "CORS on a route to an InferencePool turns scoring off on Istio, and prefill servers are sent plain requests; answer CORS before the gateway, or set gateway.extProc: envoyFilter")}
		}
	}
	return nil
}

// istioLacks warns of what the declared patch version of Istio does wrong with pools. A
// version without a patch number is taken to be the newest of its minor version, which the
// warning asks for.
func (s *Stack) istioLacks(g gatewayAt) []Problem {
	istio := release.ComponentNamed("istio")
	known := istio.At(g.Istio.Version)
	var out []Problem
	for _, fault := range []struct {
		fix, at, what string
		meets         bool
	}{
		{"picker-for-each-pool", "spec.route.split", "asks one EPP for all pools of a split: the others' servers are chosen without scoring, and while the pool of that EPP is empty the gateway answers 503 for all", len(s.Spec.Route.Split) > 0},
		{"several-pool-routes", g.path + ".existing", "asks an EPP for the first route with a pool only: with another stack on this Gateway scoring is off for one", g.Existing},
	} {
		if has, decided := known.Has(fault.fix); fault.meets && (!has || !decided) {
			out = append(out, s.Problem(Warning, fault.at, "is served by Istio from %s on; before, it %s (istio.version is %s)", strings.Join(istio.FixedIn(fault.fix), ", "), fault.what, g.Istio.Version))
		}
	}
	return out
}
