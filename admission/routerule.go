package admission

import (
	"k8s.io/apimachinery/pkg/util/validation/field"
	gwapiv1 "sigs.k8s.io/gateway-api/apis/v1"
)

// RouteRule judges the rule of an HTTPRoute that has a number of backends: its matches and
// filters against each other, and how many there are (gateway-api v1.6, CEL rules of
// HTTPRouteRule and HTTPRouteFilter).
func RouteRule(matches []gwapiv1.HTTPRouteMatch, filters []gwapiv1.HTTPRouteFilter, backends int) []Flaw {
	j := &judge{}
	j.routeRule(nil, matches, filters, backends)
	return j.flaws
}

func (j *judge) route(at *field.Path, r *gwapiv1.HTTPRoute) {
	for i := range r.Spec.Rules {
		at, rule := at.Child("rules").Index(i), &r.Spec.Rules[i]
		for k := range rule.Matches {
			j.routeMatch(at.Child("matches").Index(k), &rule.Matches[k])
		}
		for k := range rule.Filters {
			j.routeFilter(at.Child("filters").Index(k), &rule.Filters[k])
		}
		j.routeRule(at, rule.Matches, rule.Filters, len(rule.BackendRefs))
	}
}

func (j *judge) routeRule(at *field.Path, matches []gwapiv1.HTTPRouteMatch, filters []gwapiv1.HTTPRouteFilter, backends int) {
	j.atMost(at.Child("matches"), len(matches), 64)
	j.atMost(at.Child("filters"), len(filters), 16)
	seen := map[gwapiv1.HTTPRouteFilterType]bool{}
	for i, f := range filters {
		at := at.Child("filters").Index(i)
		repeatable := f.Type == gwapiv1.HTTPRouteFilterRequestMirror || f.Type == gwapiv1.HTTPRouteFilterExtensionRef
		if seen[f.Type] && !repeatable {
			j.bad(at.Child("type"), "a second %s is refused; put everything into the first", f.Type)
		}
		seen[f.Type] = true
		if f.Type == gwapiv1.HTTPRouteFilterRequestRedirect && backends > 0 {
			j.bad(at.Child("type"), "RequestRedirect answers by itself and cannot go with a backend; give it a rule without one")
		}
		if w := f.URLRewrite; w != nil && w.Path != nil && w.Path.Type == gwapiv1.PrefixMatchHTTPPathModifier && !onePrefix(matches) {
			j.bad(at.Child("urlRewrite").Child("path").Child("type"), "ReplacePrefixMatch needs exactly one match, by PathPrefix, whose prefix is replaced")
		}
	}
}

// onePrefix reports whether there is one match, by prefix; without any, the API server fills
// in the prefix /.
func onePrefix(matches []gwapiv1.HTTPRouteMatch) bool {
	if len(matches) == 0 {
		return true
	}
	p := matches[0].Path
	return len(matches) == 1 && (p == nil || p.Type == nil || *p.Type == gwapiv1.PathMatchPathPrefix)
}
