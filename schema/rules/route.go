package rules

import (
	"regexp"
	"slices"
	"time"

	gwapiv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/inferstack/inferstack/admission"
	"github.com/inferstack/inferstack/finding"
	"github.com/inferstack/inferstack/schema"
)

// bypass says aloud that the EPP is not asked, and refuses a route to a pool that is not
// made.
func bypass(s stack) []schema.Problem {
	at := "spec.route.backend"
	switch {
	case s.Spec.Gateway == nil || !s.Routed():
		return nil
	case len(s.Spec.Route.Rules) > 0:
		return s.bypasses()
	case s.Spec.Route.Backend == "service" && s.Spec.Scheduler.Enabled:
		return []schema.Problem{s.Problem(schema.Warning, at, "is service: requests bypass the EPP, and scoring is off")}
	case s.Spec.Route.Backend == "service":
		return []schema.Problem{s.Problem(schema.Info, at, "is service: there is no EPP, and scoring is off")}
	case !s.Spec.Scheduler.Enabled:
		return []schema.Problem{s.Problem(schema.Error, at, "pool needs the EPP and scheduler.enabled is false; use backend: service, or enable the scheduler")}
	default:
		return nil
	}
}

// bypasses is bypass for each rule of several.
func (s stack) bypasses() (out []schema.Problem) {
	for _, r := range s.RouteRules() {
		for _, b := range r.Backends {
			switch {
			case b.Own && b.IsService() && s.Spec.Scheduler.Enabled:
				out = append(out, s.Problem(schema.Warning, b.Path, "leads to the plain Service: requests of this rule bypass the EPP"))
			case b.Own && !b.IsService() && !s.Spec.Scheduler.Enabled:
				out = append(out, s.Problem(schema.Error, b.Path, "leads to the pool, which needs the EPP, and scheduler.enabled is false; write kind: Service, or enable the scheduler"))
			}
		}
	}
	if !s.Leads(schema.BackendPool) && !s.Leads(schema.BackendService) {
		out = append(out, s.Problem(schema.Warning, "spec.route.rules", "lead to others only: no request comes to this stack's servers"))
	}
	return out
}

// standaloneRoute refuses fields of the route that the standalone proxy does not have.
// With a Gateway beside it, they hold for that.
func standaloneRoute(s stack) (out []schema.Problem) {
	gateways := s.gatewaysAt()
	if len(gateways) == 0 || slices.ContainsFunc(gateways, func(g gatewayAt) bool { return !g.Standalone() }) {
		return nil
	}
	for _, field := range []string{"name", "namespace", "matches", "filters", "sectionName", "weight", "split", "rules", "timeouts.backendRequest"} {
		if at := "spec.route." + field; s.Has(at) {
			out = append(out, s.Problem(schema.Error, at, "belongs to an HTTPRoute, and class envoy has none: all requests go to this stack"))
		}
	}
	if !s.Spec.Route.Enabled {
		out = append(out, s.Problem(schema.Error, "spec.route.enabled", "must be true for class envoy, whose proxy holds the route itself"))
	}
	return out
}

// routeTimeouts checks the timeouts.
func routeTimeouts(s stack) []schema.Problem {
	out := s.timeouts("spec.route.timeouts", &s.Spec.Route.Timeouts)
	for i := range s.Spec.Route.Rules {
		if t := s.Spec.Route.Rules[i].Timeouts; t != nil {
			out = append(out, s.timeouts(finding.Indexed("spec.route.rules", i)+".timeouts", t)...)
		}
	}
	return out
}

func (s stack) timeouts(at string, t *schema.Timeouts) (out []schema.Problem) {
	for _, g := range s.gatewaysAt() {
		if !g.Row().RouteTimeouts && s.Has(at) {
			out = append(out, s.Problem(schema.Warning, at, "are left out, for GKE refuses them; %s holds instead", schema.Path(g.path+".gke.backendTimeoutSeconds")))
			break
		}
	}
	request, _ := time.ParseDuration(t.Request)
	try, err := time.ParseDuration(t.BackendRequest)
	if err == nil && request > 0 && try > request {
		out = append(out, s.Problem(schema.Error, at+".backendRequest", "must not be longer than timeouts.request (%s > %s)", t.BackendRequest, t.Request))
	}
	return out
}

// routeRules keeps to what the API server accepts of an HTTPRoute's rule.
func routeRules(s stack) (out []schema.Problem) {
	r := &s.Spec.Route
	for _, bound := range []struct {
		field  string
		n, max int
	}{{"hostnames", len(r.Hostnames), 16}, {"split", len(r.Split), 15}} {
		if bound.n > bound.max {
			out = append(out, s.Problem(schema.Error, "spec.route."+bound.field, "must be at most %d (got %d)", bound.max, bound.n))
		}
	}
	for _, rule := range s.RouteRules() {
		out = append(out, s.expressions(&rule)...)
		out = append(out, s.flaws(rule.Path, admission.RouteRule(rule.Matches, rule.Filters, len(rule.Backends)))...)
	}
	return out
}

// expressions tries the regular expressions of the matches out, which gateways read as RE2
// (envoy.type.matcher.v3.RegexMatcher); the API server does not look at them.
func (s stack) expressions(rule *schema.PlannedRule) (out []schema.Problem) {
	try := func(at string, regular bool, value string) {
		if _, err := regexp.Compile(value); regular && err != nil {
			out = append(out, s.Problem(schema.Error, at, "is not a regular expression of RE2: %v", err))
		}
	}
	for i, m := range rule.Matches {
		at := finding.Indexed(rule.Path+".matches", i)
		if p := m.Path; p != nil && p.Value != nil {
			try(at+".path.value", p.Type != nil && *p.Type == gwapiv1.PathMatchRegularExpression, *p.Value)
		}
		for k, h := range m.Headers {
			try(finding.Indexed(at+".headers", k)+".value", h.Type != nil && *h.Type == gwapiv1.HeaderMatchRegularExpression, h.Value)
		}
		for k, q := range m.QueryParams {
			try(finding.Indexed(at+".queryParams", k)+".value", q.Type != nil && *q.Type == gwapiv1.QueryParamMatchRegularExpression, q.Value)
		}
	}
	return out
}
