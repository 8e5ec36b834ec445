package modelservice

import (
	"cmp"
	"fmt"
	"slices"

	gwapiv1 "sigs.k8s.io/gateway-api/apis/v1"
)

// poolAndRoute are what the base configuration says about them.
func (m *service) poolAndRoute(b *base) {
	if b.pool != nil && b.pool.Spec.TargetPortNumber != 0 && cmp.Or(m.Text("spec.server.port"), "8000") != text(b.pool.Spec.TargetPortNumber) {
		m.Set("spec.pool.targetPorts", []int32{b.pool.Spec.TargetPortNumber}, fromBase)
	}
	if b.model != nil && b.model.Spec.Criticality != "" {
		m.criticality(b.model.Spec.Criticality)
	}
	m.gateways()
	if b.route == nil {
		return
	}
	spec := &b.route.Spec
	if len(spec.Hostnames) > 0 {
		m.Set("spec.route.hostnames", spec.Hostnames, fromBase)
	}
	for i := range spec.Rules {
		to := "spec.route"
		if len(spec.Rules) > 1 {
			to = fmt.Sprintf("spec.route.rules[%d]", i)
		}
		m.rule(to, &spec.Rules[i])
	}
	if len(spec.ParentRefs) > 0 && len(m.spec.Routing.GatewayRefs) > 0 {
		m.Lost(fromBase, "parentRefs of httpRoute; the gatewayRefs of the ModelService stand")
		return
	}
	if len(spec.ParentRefs) > 0 {
		var refs []GatewayRef
		for _, p := range spec.ParentRefs {
			ref := GatewayRef{Name: string(p.Name)}
			if p.Namespace != nil {
				ref.Namespace = string(*p.Namespace)
			}
			if p.SectionName != nil {
				ref.SectionName = string(*p.SectionName)
			}
			if p.Kind != nil {
				ref.Kind = string(*p.Kind)
			}
			if p.Port != nil {
				ref.Port = (*int32)(p.Port)
			}
			refs = append(refs, ref)
		}
		m.refs(refs, fromBase)
	}
}

// rule is a rule of the route; its one backend is the pool.
func (m *service) rule(to string, rule *gwapiv1.HTTPRouteRule) {
	m.ruleRest(rule)
	if len(rule.Matches) > 0 {
		m.Set(to+".matches", rule.Matches, fromBase)
	}
	if len(rule.Filters) > 0 {
		m.Set(to+".filters", rule.Filters, fromBase)
	}
	if rule.Timeouts != nil && rule.Timeouts.Request != nil {
		m.Set(to+".timeouts.request", *rule.Timeouts.Request, fromBase)
	}
	if rule.Timeouts != nil && rule.Timeouts.BackendRequest != nil {
		m.Set(to+".timeouts.backendRequest", *rule.Timeouts.BackendRequest, fromBase)
	}
	if to != "spec.route" && !m.Has(to) {
		m.Set(to, map[string]any{}, fromBase)
	}
}

// routeless says that a route of the base configuration has no Gateway to belong to.
func (m *service) routeless(b *base) {
	if b.route != nil && !m.Has("spec.gateway") {
		m.On("spec", fromBase).Warn("httpRoute makes no route, whatever its hostnames, rules and timeouts: neither it nor the ModelService names a Gateway; name one in spec.routing.gatewayRefs, or write spec.gateway into the stack")
	}
}

// ruleRest is what a rule of the route says that a stack's has no place for. Its one
// backend is the pool.
func (m *service) ruleRest(rule *gwapiv1.HTTPRouteRule) {
	rest := rule.DeepCopy()
	backends := slices.DeleteFunc(rest.BackendRefs, func(b gwapiv1.HTTPBackendRef) bool {
		return b.Kind != nil && *b.Kind == "InferencePool" && len(b.Filters) == 0
	})
	for _, b := range rule.BackendRefs {
		if b.Kind != nil && *b.Kind == "InferencePool" && b.Port != nil {
			m.On("spec.route", fromBase).Dropped().Note("port %d of the backendRefs of httpRoute is left out: the pool has the servers' port", *b.Port)
		}
	}
	rest.BackendRefs, rest.Matches, rest.Filters, rest.Timeouts = nil, nil, nil, nil
	m.unsaid("a rule of httpRoute", rest)
	if len(rule.BackendRefs) > 1 || len(backends) > 0 {
		m.Lost(fromBase, "backends of httpRoute besides the pool; route.split and backendRefs of route.rules name others")
	}
}

// criticality of the InferenceModel is a priority now, which clients ask for by name
// (gateway-api-inference-extension, proposal 1199).
func (m *service) criticality(c string) {
	priority, ok := map[string]int{"Critical": 1, "Standard": 0, "Sheddable": -1}[c]
	if !ok {
		m.On("", fromBase).Fail("the InferenceModel's criticality must be Critical, Standard or Sheddable (got %q)", c)
		return
	}
	m.Set("spec.objectives", []any{map[string]any{"name": sanitized(m.Doc.Name), "priority": priority}}, fromBase)
	m.On("spec.objectives", fromBase).Warn("criticality %s of the InferenceModel becomes an objective; requests get its priority only with the header x-llm-d-inference-objective: %s", c, sanitized(m.Doc.Name))
}

// gateways are those that the ModelService names.
func (m *service) gateways() {
	m.refs(m.spec.Routing.GatewayRefs, "spec.routing.gatewayRefs")
}

// refs attaches to Gateways that exist.
func (m *service) refs(refs []GatewayRef, from string) {
	for i, ref := range refs {
		to := "spec.gateway"
		if m.Has(to) {
			to = fmt.Sprintf("spec.extraGateways[%d]", i-1)
		}
		class := "kgateway"
		if m.llmd != nil && m.llmd.spec.Gateway != nil && m.llmd.spec.Gateway.ClassName != "" {
			class = m.llmd.spec.Gateway.ClassName
		}
		m.Set(to+".class", class, from)
		m.Set(to+".existing", true, from)
		m.Set(to+".name", ref.Name, from)
		if ref.Namespace != "" {
			m.Set(to+".namespace", ref.Namespace, from)
		}
		if ref.SectionName != "" {
			m.Set("spec.route.sectionName", ref.SectionName, from)
		}
		if ref.Kind != "" && ref.Kind != "Gateway" {
			m.Lost(from, "a parent of kind %s", ref.Kind)
		}
		if ref.Port != nil {
			m.Lost(from, "the port %d of a parent; sectionName names its listener", *ref.Port)
		}
		if m.llmd == nil {
			m.On(to+".class", from).Warn("nothing here says what runs the Gateway %s; correct the class if it is not kgateway", ref.Name)
		}
	}
}
