package rules

import (
	"cmp"
	"slices"

	"github.com/inferstack/inferstack/schema"
)

// The bounds of an HTTPRoute (gateway-api v1.6, HTTPRouteSpec).
const (
	maxRouteHostnames = 16
	maxRouteRules     = 16
	maxRouteMatches   = 128
)

// severalRules checks what belongs to route.rules: fields of the one rule beside them, the names
// of HTTPRoutes, and backends.
func severalRules(s stack) []schema.Problem {
	if len(s.Spec.Route.Rules) == 0 {
		return nil
	}
	var out []schema.Problem
	for _, field := range []string{"matches", "filters", "weight", "split"} {
		if at := "spec.route." + field; s.Has(at) {
			out = append(out, s.Problem(schema.Error, at, "is that of the one rule, and rules has others; move it into rules"))
		}
	}
	out = append(out, s.hostRoutes()...)
	for _, r := range s.RouteRules() {
		for _, b := range r.Backends {
			out = append(out, s.backendForm(&b)...)
		}
		if r.Redirects() && len(r.Backends) == 0 && r.Timeouts != s.Spec.Route.Timeouts {
			out = append(out, s.Problem(schema.Info, r.Path+".timeouts", "has no effect on a redirect, which the gateway answers by itself"))
		}
	}
	return append(out, s.shadowed()...)
}

// hostRoutes checks the HTTPRoutes that the host names of rules ask for.
func (s stack) hostRoutes() (out []schema.Problem) {
	names := map[string]bool{}
	for _, h := range s.HostRoutes() {
		first := h.Rules[0].Path
		switch {
		case len(h.Rules) > maxRouteRules:
			out = append(out, s.Problem(schema.Error, h.Rules[maxRouteRules].Path, "is the %dth rule of the same host names, and an HTTPRoute has at most %d", maxRouteRules+1, maxRouteRules))
		case countMatches(h.Rules) > maxRouteMatches:
			out = append(out, s.Problem(schema.Error, first+".matches", "are %d with those of the other rules of the same host names, and an HTTPRoute has at most %d", countMatches(h.Rules), maxRouteMatches))
		case len(h.Hostnames) > maxRouteHostnames && h.Rules[0].OwnHostnames:
			out = append(out, s.Problem(schema.Error, first+".hostnames", "must be at most %d (got %d)", maxRouteHostnames, len(h.Hostnames)))
		}
		if h.Rules[0].OwnHostnames && h.Name == "" && !slices.ContainsFunc(h.Rules, func(r schema.PlannedRule) bool { return !r.OwnHostnames }) {
			out = append(out, s.Problem(schema.Error, first+".name", "is required beside hostnames: the HTTPRoute of these host names is named after it"))
		} else if h.Name != "" && names[h.Name] {
			out = append(out, s.Problem(schema.Error, first+".name", "%s is the name of a rule with other host names", h.Name))
		}
		names[h.Name] = true
		for i, r := range h.Rules {
			if r.Name != "" && (h.Name == "" || i > 0) {
				out = append(out, s.Problem(schema.Info, r.Path+".name", "has no effect: only the first rule of other host names than the route's names their HTTPRoute"))
			}
		}
	}
	return out
}

// countMatches counts as the API server does, which fills in one where there is none.
func countMatches(rules []schema.PlannedRule) int {
	n := 0
	for _, r := range rules {
		n += max(1, len(r.Matches))
	}
	return n
}

// backendForm checks the fields of a backend against each other.
func (s stack) backendForm(b *schema.PlannedBackend) []schema.Problem {
	switch {
	case b.Own && b.IsService() && b.Port != nil && *b.Port != s.ServicePort():
		return []schema.Problem{s.Problem(schema.Error, b.Path+".port", "must be that of the stack's Service, %d; leave it out", s.ServicePort())}
	case !b.IsService() && b.Port != nil:
		return []schema.Problem{s.Problem(schema.Error, b.Path+".port", "belongs to a Service: a pool knows the ports of its servers")}
	case !b.Own && b.IsService() && b.Port == nil:
		return []schema.Problem{s.Problem(schema.Error, b.Path+".port", "is required for a Service that is not the stack's own")}
	case b.Own && b.Name == "" && s.Has(b.Path+".namespace") && !s.Has(b.Path+".name"):
		return []schema.Problem{s.Problem(schema.Error, b.Path+".namespace", "needs name: the stack's own backend is in its own namespace")}
	}
	return nil
}

// shadowed warns of a rule that never applies, because all that it matches an earlier one of
// the same host names matches too: of equal matches the first wins (gateway-api v1.6,
// HTTPRouteRule.Matches).
func (s stack) shadowed() (out []schema.Problem) {
	for _, h := range s.HostRoutes() {
		claimed := map[string]string{}
		for _, r := range h.Rules {
			texts, by := schema.MatchTexts(r.Matches), ""
			taken := !slices.ContainsFunc(texts, func(t string) bool { by = cmp.Or(by, claimed[t]); return claimed[t] == "" })
			if taken {
				out = append(out, s.Problem(schema.Warning, r.Path, "never applies: %s has the same matches, and comes first", schema.Path(by)))
			}
			for _, t := range texts {
				claimed[t] = cmp.Or(claimed[t], r.Path)
			}
		}
	}
	return out
}
