package kserve

import (
	"encoding/json"
	"reflect"
	"slices"

	gwapiv1 "sigs.k8s.io/gateway-api/apis/v1"
)

const rulesFrom = "spec.router.route.http.spec.rules"

// rules of the route: one is what the route's own fields describe, several are a list.
func (s *service) rules(rules []gwapiv1.HTTPRouteRule) {
	switch {
	case len(rules) == 0:
	case s.shippedRules(rules):
		s.presetRules()
	case s.oneRule(rules):
		s.ruleBody("spec.route", &rules[0], s.at(indexed(rulesFrom, 0)))
		s.backends(rules[0].BackendRefs, s.at(indexed(rulesFrom, 0))+".backendRefs")
		for i := range rules[1:] {
			for _, m := range rules[i+1].Matches {
				s.Append("spec.route.matches", m, "")
			}
		}
	default:
		s.noScheduler()
		for i := range rules {
			s.listedRule(indexed("spec.route.rules", i), &rules[i], s.at(indexed(rulesFrom, i)))
		}
	}
}

// oneRule reports whether the rules are like the first but for their matches, and that one
// leads to pools or to the service's own Service.
func (s *service) oneRule(rules []gwapiv1.HTTPRouteRule) bool {
	first := rules[0].DeepCopy()
	first.Matches, first.Name = nil, nil
	for i := range rules[1:] {
		other := rules[i+1].DeepCopy()
		if other.Matches, other.Name = nil, nil; !reflect.DeepEqual(first, other) || len(first.Filters) > 0 || len(rules[i+1].Matches) == 0 {
			return false
		}
	}
	return !slices.ContainsFunc(first.BackendRefs, func(b gwapiv1.HTTPBackendRef) bool {
		return kindOf(&b) != "InferencePool" && (kindOf(&b) != "Service" || string(b.Name) != s.workloadService() || len(first.BackendRefs) > 1)
	})
}

// shippedRules reports whether the rules are those of the preset.
func (s *service) shippedRules(rules []gwapiv1.HTTPRouteRule) bool {
	data, err := json.Marshal(at(s.presets, "router", "route", "http", "spec", "rules"))
	var shipped []gwapiv1.HTTPRouteRule
	return err == nil && json.Unmarshal(data, &shipped) == nil && len(shipped) > 0 && reflect.DeepEqual(shipped, rules)
}

// presetRules stand for the preset's: what is below /NAMESPACE/NAME, or below the model's
// published name, reaches the servers as it is below /, and so does what names the model in a
// header.
func (s *service) presetRules() {
	at, published := s.at("spec.router.route"), s.published(*s.spec.Model.Name)
	below := func(path string) any {
		return map[string]any{
			"matches": []any{map[string]any{"path": map[string]any{"type": "PathPrefix", "value": path}}},
			"filters": []any{map[string]any{"type": "URLRewrite", "urlRewrite": map[string]any{
				"path": map[string]any{"type": "ReplacePrefixMatch", "replacePrefixMatch": "/"},
			}}},
		}
	}
	rules := []any{below("/" + s.namespace() + "/" + s.Doc.Name)}
	of := []any{
		below("/" + published),
		map[string]any{"matches": []any{map[string]any{"headers": []any{map[string]any{"name": s.settings.header, "value": published}}}}},
	}
	switch all := s.sharers(); {
	case len(all) == 0:
		rules = append(rules, of...)
	case all[0].name == s.Doc.Name:
		for _, rule := range of {
			rule.(map[string]any)["backendRefs"] = s.sharedBackends()
			rules = append(rules, rule)
		}
	}
	s.Set("spec.route.rules", rules, at)
	s.noScheduler()
}

// noScheduler has the route lead to the Service where the stack makes no pool.
func (s *service) noScheduler() {
	if sc := s.spec.Router.Scheduler; sc == nil || sc.Pool != nil && sc.Pool.Ref != nil {
		s.Set("spec.route.backend", "service", "")
	}
}

// ruleBody is what a rule says besides its backends.
func (s *service) ruleBody(to string, r *gwapiv1.HTTPRouteRule, from string) {
	if len(r.Matches) > 0 {
		s.Set(to+".matches", r.Matches, from+".matches")
	}
	if len(r.Filters) > 0 {
		s.Set(to+".filters", r.Filters, from+".filters")
	}
	if t := r.Timeouts; t != nil {
		if t.Request != nil {
			s.Set(to+".timeouts.request", *t.Request, from+".timeouts.request")
		}
		if t.BackendRequest != nil {
			s.Set(to+".timeouts.backendRequest", *t.BackendRequest, from+".timeouts.backendRequest")
		}
	}
	if r.Retry != nil || r.SessionPersistence != nil {
		s.Lost(from, "retry and sessionPersistence of a rule")
	}
}

// listedRule is one of several.
func (s *service) listedRule(to string, r *gwapiv1.HTTPRouteRule, from string) {
	s.ruleBody(to, r, from)
	for i := range r.BackendRefs {
		s.Append(to+".backendRefs", s.backend(&r.BackendRefs[i], indexed(from+".backendRefs", i)), indexed(from+".backendRefs", i))
	}
	if !s.Has(to) {
		s.Set(to, map[string]any{}, from)
	}
}

// backend is a backend of one of several rules.
func (s *service) backend(b *gwapiv1.HTTPBackendRef, from string) map[string]any {
	out, kind, name := map[string]any{}, kindOf(b), string(b.Name)
	own := kind == "InferencePool" && name == s.poolName() || kind == "Service" && name == s.workloadService()
	switch {
	case kind != "InferencePool" && kind != "Service":
		s.Lost(from, "the %s %s as a backend; a rule leads to pools and Services", kind, name)
	case kind == "Service":
		out["kind"] = kind
	}
	if !own {
		out["name"] = name
		if b.Namespace != nil {
			out["namespace"] = string(*b.Namespace)
		}
		if b.Port != nil && kind == "Service" {
			out["port"] = *b.Port
		}
	}
	if b.Weight != nil && *b.Weight != 1 {
		out["weight"] = *b.Weight
	}
	s.backendFilters(b, from)
	return out
}

func (s *service) backendFilters(b *gwapiv1.HTTPBackendRef, from string) {
	if len(b.Filters) > 0 {
		s.Lost(from+".filters", "filters of a backend")
	}
}

// backends of the one rule are the pool, the Service, or other pools beside it.
func (s *service) backends(refs []gwapiv1.HTTPBackendRef, from string) {
	s.noScheduler()
	for i := range refs {
		b, at := &refs[i], indexed(from, i)
		weight := int32(1)
		if b.Weight != nil {
			weight = *b.Weight
		}
		s.backendFilters(b, at)
		switch name := string(b.Name); {
		case kindOf(b) == "Service":
			s.Set("spec.route.backend", "service", at)
		case name == s.poolName():
			s.Set("spec.route.weight", weight, at)
		default:
			split := map[string]any{"pool": name, "weight": weight}
			if b.Namespace != nil {
				split["namespace"] = string(*b.Namespace)
			}
			s.Append("spec.route.split", split, at)
		}
	}
}

func kindOf(b *gwapiv1.HTTPBackendRef) string {
	if b.Kind != nil {
		return string(*b.Kind)
	}
	return "Service"
}

// workloadService is the Service over the servers.
func (s *service) workloadService() string { return s.child("-kserve-workload-svc") }
