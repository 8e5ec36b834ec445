package schema

import (
	"cmp"
	"maps"
	"slices"

	gwapiv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/inferstack/inferstack/finding"
	"github.com/inferstack/inferstack/internal/lazyjson"
)

// Kinds of backends.
const (
	BackendPool    = "InferencePool"
	BackendService = "Service"
)

// A PlannedRule is a rule of the route with all that follows from the route's own fields.
type PlannedRule struct {
	// Name sets the HTTPRoute of a rule with host names of its own apart.
	Name      string
	Hostnames []string
	Matches   []gwapiv1.HTTPRouteMatch
	Filters   []gwapiv1.HTTPRouteFilter
	Backends  []PlannedBackend
	Timeouts  Timeouts

	Path         string
	OwnHostnames bool // the host names
}

// A PlannedBackend is a backend of a rule. Those of this stack are Own and have neither name
// nor namespace.
type PlannedBackend struct {
	RouteBackend
	Own bool

	Path string
}

// IsService reports whether the backend is a Service, which no EPP picks for.
func (b *PlannedBackend) IsService() bool { return b.Kind == BackendService }

// RouteRules lists the rules of the route: those of route.rules, or the one that the fields of
// the route describe.
func (s *Stack) RouteRules() []PlannedRule {
	r := &s.Spec.Route
	if len(r.Rules) == 0 {
		return []PlannedRule{{
			Hostnames: r.Hostnames, Matches: r.Matches, Filters: r.Filters, Timeouts: r.Timeouts,
			Backends: s.splitBackends(), Path: "spec.route",
		}}
	}
	out := make([]PlannedRule, len(r.Rules))
	for i := range r.Rules {
		out[i] = s.plannedRule(&r.Rules[i], finding.Indexed("spec.route.rules", i))
	}
	return out
}

func (s *Stack) plannedRule(rule *RouteRule, path string) PlannedRule {
	out := PlannedRule{
		Name: rule.Name, Hostnames: s.Spec.Route.Hostnames, Matches: rule.Matches, Filters: rule.Filters,
		Timeouts: s.Spec.Route.Timeouts, Path: path,
	}
	if len(rule.Hostnames) > 0 {
		out.Hostnames, out.OwnHostnames = rule.Hostnames, true
	}
	if rule.Timeouts != nil {
		out.Timeouts = *rule.Timeouts
	}
	for i, b := range rule.BackendRefs {
		out.Backends = append(out.Backends, s.plannedBackend(b, finding.Indexed(path+".backendRefs", i)))
	}
	if len(rule.BackendRefs) == 0 && !out.Redirects() {
		out.Backends = []PlannedBackend{s.ownBackend(1, path)}
	}
	return out
}

// splitBackends are this stack's backend, and the pools that share its traffic.
func (s *Stack) splitBackends() []PlannedBackend {
	out := []PlannedBackend{s.ownBackend(s.Spec.Route.Weight, "spec.route.weight")}
	for i, other := range s.Spec.Route.Split {
		b := RouteBackend{Kind: BackendPool, Name: other.Pool, Namespace: other.Namespace, Weight: other.Weight}
		out = append(out, s.plannedBackend(b, finding.Indexed("spec.route.split", i)))
	}
	return out
}

func (s *Stack) ownBackend(weight int32, path string) PlannedBackend {
	b := PlannedBackend{RouteBackend: RouteBackend{Kind: BackendPool, Weight: weight}, Own: true, Path: path}
	if s.Spec.Route.Backend == "service" {
		b.Kind = BackendService
	}
	return b
}

// plannedBackend recognises this stack's own backend under its name too.
func (s *Stack) plannedBackend(b RouteBackend, path string) PlannedBackend {
	mine := cmp.Or(s.Spec.Pool.Name, s.Metadata.Name)
	if b.Kind == BackendService {
		mine = cmp.Or(s.Spec.Server.Service.Name, s.Metadata.Name)
	}
	out := PlannedBackend{RouteBackend: b, Path: path}
	if b.Name == "" || b.Name == mine && (b.Namespace == "" || b.Namespace == s.Metadata.Namespace) {
		out.Own, out.Name, out.Namespace = true, "", ""
	}
	return out
}

// Redirects reports whether the rule answers by itself.
func (r *PlannedRule) Redirects() bool {
	return slices.ContainsFunc(r.Filters, func(f gwapiv1.HTTPRouteFilter) bool { return f.Type == gwapiv1.HTTPRouteFilterRequestRedirect })
}

// Leads reports whether a rule leads to this stack's own backend of a kind.
func (s *Stack) Leads(kind string) bool {
	if len(s.Spec.Route.Rules) == 0 {
		return (s.Spec.Route.Backend == "service") == (kind == BackendService)
	}
	for _, r := range s.RouteRules() {
		if slices.ContainsFunc(r.Backends, func(b PlannedBackend) bool { return b.Own && b.Kind == kind }) {
			return true
		}
	}
	return false
}

// A HostRoute is the rules of the same host names, which share an HTTPRoute.
type HostRoute struct {
	// Name sets the HTTPRoute apart from that of the route's own host names, which has none.
	Name      string
	Hostnames []string
	Rules     []PlannedRule
}

// HostRoutes are the rules by their host names, in the order of the first of each.
func (s *Stack) HostRoutes() (out []HostRoute) {
	for _, r := range s.RouteRules() {
		i := slices.IndexFunc(out, func(h HostRoute) bool { return sameNames(h.Hostnames, r.Hostnames) })
		if i < 0 {
			i, out = len(out), append(out, HostRoute{Name: r.Name, Hostnames: r.Hostnames})
		}
		if !r.OwnHostnames {
			out[i].Name = ""
		}
		out[i].Rules = append(out[i].Rules, r)
	}
	return out
}

// sameNames compares without regard to order.
func sameNames(a, b []string) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

// ServicePort is the port of the plain Service.
func (s *Stack) ServicePort() int32 {
	if p := s.Spec.Server.Service.Port; p != nil {
		return *p
	}
	return s.Spec.Server.Port
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
