package manifests

import (
	"cmp"
	"slices"
	"strings"
)

// routes are the HTTPRoutes of the group, the one that others are named after first.
func (s *sources) routes() (out []object) {
	for _, m := range s.g.of("HTTPRoute") {
		out = append(out, m.what)
	}
	slices.SortStableFunc(out, func(a, b object) int {
		return cmp.Compare(len(text(a, "metadata", "name")), len(text(b, "metadata", "name")))
	})
	return out
}

// rules are those of several, nil where one rule says it all.
func (s *sources) rules() []proposal {
	routes := s.routes()
	var rules []any
	for _, route := range routes {
		own := object{}
		if name, found := strings.CutPrefix(text(route, "metadata", "name"), text(routes[0], "metadata", "name")+"-"); found {
			own = object{"name": name, "hostnames": at(route, "spec", "hostnames")}
		}
		for i, r := range list(at(route, "spec", "rules")) {
			rule := object{}
			if h := own["hostnames"]; h != nil {
				rule["hostnames"] = h
			}
			if i == 0 && own["name"] != nil {
				rule["name"] = own["name"]
			}
			for _, field := range []string{"matches", "filters", "timeouts"} {
				if v := at(r, field); v != nil {
					rule[field] = v
				}
			}
			if backends := s.backends(r); len(backends) > 0 {
				rule["backendRefs"] = backends
			}
			rules = append(rules, rule)
		}
	}
	if len(rules) < 2 {
		return nil
	}
	return []proposal{{"spec.route.rules": rules, "spec.route.matches": nil, "spec.route.filters": nil}}
}

func (s *sources) backends(rule any) (out []any) {
	for _, b := range list(at(rule, "backendRefs")) {
		backend := object{}
		for _, field := range []string{"kind", "name", "namespace", "port", "weight"} {
			if v := at(b, field); v != nil {
				backend[field] = v
			}
		}
		out = append(out, backend)
	}
	return out
}

// routedElsewhere are gateways whose routes other stacks make. An Istio is told in the stack of
// the EPP how to speak to it, and the Gateway may be any of the input.
func (s *sources) routedElsewhere() (out []proposal) {
	for _, d := range s.g.in.docs {
		if d.ref.Kind == "Gateway" && len(s.g.of("DestinationRule")) > 0 {
			out = append(out, proposal{
				"spec.gateway":       object{"class": "istio", "name": d.ref.Name, "existing": true},
				"spec.route.enabled": false,
			})
		}
	}
	return out
}
