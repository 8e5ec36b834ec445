package schema

import (
	"cmp"
	"maps"
	"slices"

	gwapiv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/inferstack/inferstack/internal/lazyjson"
)

// The bounds of an HTTPRoute (gateway-api v1.6, HTTPRouteSpec).
const (
	maxRouteHostnames = 16
	maxRouteRules     = 16
	maxRouteMatches   = 128
)

// severalRules checks what belongs to route.rules: fields of the one rule beside them, the names
// of HTTPRoutes, and backends.
func severalRules(s *Stack) []Problem {
	if len(s.Spec.Route.Rules) == 0 {
		return nil
	}
	var out []Problem
	for _, field := range []string{"matches", "filters", "weight", "split"} {
		if at := "spec.route." + field; s.Has(at) {
			out = append(out, s.Problem(Error, at, "is that of the one rule, and rules has others; move it into rules"))
		}
	}
	out = append(out, s.hostRoutes()...)
	for _, r := range s.RouteRules() {
		for _, b := range r.Backends {
			out = append(out, s.backendForm(&b)...)
		}
		if r.redirects() && len(r.Backends) == 0 && r.Timeouts != s.Spec.Route.Timeouts {
			out = append(out, s.Problem(Info, r.path+".timeouts", "has no effect on a redirect, which the gateway answers by itself"))
		}
	}
	return append(out, s.shadowed()...)
}

// hostRoutes checks the HTTPRoutes that the host names of rules ask for.
func (s *Stack) hostRoutes() []Problem {
	var out []Problem
	names := map[string]bool{}
	for _, h := range s.HostRoutes() {
		first := h.Rules[0].path
		switch {
		case len(h.Rules) > maxRouteRules:
			out = append(out, s.Problem(Error, h.Rules[maxRouteRules].path, "is the %dth rule of the same host names, and an HTTPRoute has at most %d", maxRouteRules+1, maxRouteRules))
		case countMatches(h.Rules) > maxRouteMatches:
			out = append(out, s.Problem(Error, first+".matches", "are %d with those of the other rules of the same host names, and an HTTPRoute has at most %d", countMatches(h.Rules), maxRouteMatches))
		case len(h.Hostnames) > maxRouteHostnames && h.Rules[0].own:
			out = append(out, s.Problem(Error, first+".hostnames", "must be at most %d (got %d)", maxRouteHostnames, len(h.Hostnames)))
		}
		if h.Rules[0].own && h.Name == "" && !slices.ContainsFunc(h.Rules, func(r PlannedRule) bool { return !r.own }) {
			out = append(out, s.Problem(Error, first+".name", "is required beside hostnames: the HTTPRoute of these host names is named after it"))
		} else if h.Name != "" && names[h.Name] {
			out = append(out, s.Problem(Error, first+".name", "%s is the name of a rule with other host names", h.Name))
		}
		names[h.Name] = true
		for i, r := range h.Rules {
			if r.Name != "" && (h.Name == "" || i > 0) {
				out = append(out, s.Problem(Info, r.path+".name", "has no effect: only the first rule of other host names than the route's names their HTTPRoute"))
			}
		}
	}
	return out
}

// countMatches counts as the API server does, which fills in one where there is none.
func countMatches(rules []PlannedRule) int {
	n := 0
	for _, r := range rules {
		n += max(1, len(r.Matches))
	}
	return n
}

// backendForm checks the fields of a backend against each other.
func (s *Stack) backendForm(b *PlannedBackend) []Problem {
	switch {
	case b.Own && b.IsService() && b.Port != nil && *b.Port != s.ServicePort():
		return []Problem{s.Problem(Error, b.path+".port", "must be that of the stack's Service, %d; leave it out", s.ServicePort())}
	case !b.IsService() && b.Port != nil:
		return []Problem{s.Problem(Error, b.path+".port", "belongs to a Service: a pool knows the ports of its servers")}
	case !b.Own && b.IsService() && b.Port == nil:
		return []Problem{s.Problem(Error, b.path+".port", "is required for a Service that is not the stack's own")}
	case b.Own && b.Name == "" && s.Has(b.path+".namespace") && !s.Has(b.path+".name"):
		return []Problem{s.Problem(Error, b.path+".namespace", "needs name: the stack's own backend is in its own namespace")}
	}
	return nil
}

// ServicePort is the port of the plain Service.
func (s *Stack) ServicePort() int32 {
	if p := s.Spec.Server.Service.Port; p != nil {
		return *p
	}
	return s.Spec.Server.Port
}

// shadowed warns of a rule that never applies, because all that it matches an earlier one of
// the same host names matches too: of equal matches the first wins (gateway-api v1.6,
// HTTPRouteRule.Matches).
func (s *Stack) shadowed() []Problem {
	var out []Problem
	for _, h := range s.HostRoutes() {
		claimed := map[string]string{}
		for _, r := range h.Rules {
			texts, by := MatchTexts(r.Matches), ""
			taken := !slices.ContainsFunc(texts, func(t string) bool { by = cmp.Or(by, claimed[t]); return claimed[t] == "" })
			if taken {
				out = append(out, s.Problem(Warning, r.path, "never applies: %s has the same matches, and comes first", Path(by)))
			}
			for _, t := range texts {
				claimed[t] = cmp.Or(claimed[t], r.path)
			}
		}
	}
	return out
}

// MatchTexts makes the matches of a rule comparable: defaults filled in, one text each, sorted.
func MatchTexts(matches []gwapiv1.HTTPRouteMatch) []string {
	if len(matches) == 0 {
		matches = []gwapiv1.HTTPRouteMatch{{}}
	}
	texts := map[string]bool{}
	for _, m := range matches {
		path := gwapiv1.HTTPPathMatch{Type: new(gwapiv1.PathMatchPathPrefix), Value: new("/")}
		if m.Path != nil && m.Path.Type != nil {
			path.Type = m.Path.Type
		}
		if m.Path != nil && m.Path.Value != nil {
			path.Value = m.Path.Value
		}
		m.Path = &path
		texts[string(lazyjson.Append(nil, m))] = true
	}
	return slices.Sorted(maps.Keys(texts))
}
