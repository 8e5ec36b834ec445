package gateway

import (
	gwapiv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/inferstack/inferstack/generators/base"
)

// matches are the user's, or every path. What the API server would default is written
// out, so that what is applied is what is stored.
func matches(written []gwapiv1.HTTPRouteMatch) []gwapiv1.HTTPRouteMatch {
	matches := base.Clones(written)
	if len(matches) == 0 {
		matches = []gwapiv1.HTTPRouteMatch{{}}
	}
	for i := range matches {
		m := &matches[i]
		if m.Path == nil {
			m.Path = &gwapiv1.HTTPPathMatch{}
		}
		fill(&m.Path.Type, gwapiv1.PathMatchPathPrefix)
		fill(&m.Path.Value, "/")
		for j := range m.Headers {
			fill(&m.Headers[j].Type, gwapiv1.HeaderMatchExact)
		}
		for j := range m.QueryParams {
			fill(&m.QueryParams[j].Type, gwapiv1.QueryParamMatchExact)
		}
	}
	return matches
}

// filters are the user's, with the API server's defaults.
func filters(written []gwapiv1.HTTPRouteFilter) []gwapiv1.HTTPRouteFilter {
	filters := base.Clones(written)
	for i := range filters {
		if m := filters[i].RequestMirror; m != nil {
			fill(&m.BackendRef.Group, "")
			fill(&m.BackendRef.Kind, "Service")
			if m.Fraction != nil {
				fill(&m.Fraction.Denominator, 100)
			}
		}
		if c := filters[i].CORS; c != nil && c.MaxAge == 0 {
			c.MaxAge = 5
		}
	}
	return filters
}

// fill sets what is not set.
func fill[T any](field **T, value T) {
	if *field == nil {
		*field = new(value)
	}
}
