package kserve

import (
	"encoding/json"
	"fmt"
	"reflect"

	gwapiv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/inferstack/inferstack/convert/serving"
)

// router is the way in: EPP and pool, Gateway, route.
func (s *service) router(sets []*set) {
	s.Set("spec.server.service.enabled", true, "")
	s.Set("spec.server.service.name", s.child("-kserve-workload-svc"), "")
	if s.spec.Prefill != nil {
		s.On("spec.server.service", s.at("spec.prefill")).Note("the Service has the decode servers; KServe's has the prefill servers too, which do only the first half of a request")
	}
	r := s.spec.Router
	s.servers(sets, func() {
		if r == nil || r.Scheduler == nil {
			s.Set("spec.scheduler.enabled", false, "")
			return
		}
		s.scheduler(r.Scheduler, sets)
	})
	if r == nil {
		return
	}
	if r.Ingress != nil {
		s.On("spec", s.at("spec.router.ingress")).Dropped().Note("left out: it has no effect, since no controller reads it")
	}
	if r.Route == nil {
		s.On("spec", s.at("spec.router")).Note("no route is made, as by KServe without router.route: routes of your own may name the pool %s", s.poolName())
		return
	}
	s.route(r)
}

// route is the HTTPRoute and the Gateways that it belongs to.
func (s *service) route(r *Router) {
	const from = "spec.router.route"
	http := r.Route.HTTP
	if http != nil && len(http.Refs) > 0 {
		s.gateways(r, nil)
		s.Set("spec.route.enabled", false, "")
		s.On("spec.route", s.at(from+".http.refs")).Note("no route is made: your own stay as they are, and name the pool %s", s.poolName())
		return
	}
	if r.Route.Group != nil || r.Route.Weight != nil {
		s.Lost(s.at(from+".group"), "a share of the traffic between services of a group, which the controller finds in the cluster; route.split of an InferenceStack names the pools")
	}
	s.Set("spec.route.name", s.child("-kserve-route"), "")
	var spec gwapiv1.HTTPRouteSpec
	if http != nil && http.Spec != nil {
		spec = *http.Spec
	}
	s.gateways(r, spec.ParentRefs)
	if len(spec.Hostnames) > 0 {
		s.Set("spec.route.hostnames", spec.Hostnames, s.at(from+".http.spec.hostnames"))
	}
	s.rules(spec.Rules)
}

// gateways are those that the service names, else those of its route, else the cluster's.
func (s *service) gateways(r *Router, parents []gwapiv1.ParentReference) {
	const from = "spec.router.gateway.refs"
	if r.Gateway != nil && len(r.Gateway.Refs) > 0 {
		for i, ref := range r.Gateway.Refs {
			section := ""
			if ref.SectionName != nil {
				section = *ref.SectionName
			}
			s.gateway(i, GatewayRef{Name: ref.Name, Namespace: ref.Namespace}, s.at(indexed(from, i)))
			s.section(section, s.at(indexed(from, i)+".sectionName"))
		}
		return
	}
	if len(parents) == 0 {
		parents = []gwapiv1.ParentReference{{Name: gwapiv1.ObjectName(s.settings.gateway), Namespace: new(gwapiv1.Namespace(s.settings.namespace))}}
	}
	for i, p := range parents {
		at := s.at(indexed("spec.router.route.http.spec.parentRefs", i))
		ref := GatewayRef{Name: string(p.Name)}
		if p.Namespace != nil {
			ref.Namespace = string(*p.Namespace)
		}
		if p.Kind != nil && *p.Kind != "Gateway" {
			s.Lost(at, "a parent of kind %s", *p.Kind)
			continue
		}
		if p.Port != nil {
			s.Lost(at, "the port %d of a parent; sectionName names its listener", *p.Port)
		}
		s.gateway(i, ref, at)
		if p.SectionName != nil {
			s.section(string(*p.SectionName), at)
		}
	}
}

func (s *service) section(name, from string) {
	const to = "spec.route.sectionName"
	switch {
	case name == "":
	case s.Has(to) && s.Text(to) != name:
		s.Lost(from, "the listener %s; a stack's route belongs to one of that name on all Gateways", name)
	default:
		s.Set(to, name, from)
	}
}

// gateway attaches to a Gateway that is there.
func (s *service) gateway(i int, ref GatewayRef, from string) {
	to := "spec.gateway"
	if i > 0 {
		to = fmt.Sprintf("spec.extraGateways[%d]", i-1)
	}
	namespace := ref.Namespace
	if namespace == "" {
		namespace = s.Doc.Namespace
	}
	s.gatewayClass(to, ref.Name, namespace, from)
	s.Set(to+".existing", true, "")
	s.Set(to+".name", ref.Name, from)
	if namespace != s.Doc.Namespace {
		s.Set(to+".namespace", namespace, from)
	}
}

// gatewayClass is what runs a Gateway: what was given, or the Gateway of the input says.
func (s *service) gatewayClass(to, name, namespace, from string) {
	class := s.in.cluster.GatewayClass
	for _, g := range s.in.gateways {
		n := g.At("spec.gatewayClassName")
		if n != nil && g.Name == name && (g.Namespace == namespace || g.Namespace == "" || namespace == "") {
			class = n.Value
		}
	}
	switch class {
	case "":
		s.Set(to+".class", "istio", "")
		s.On(to+".class", from).Warn("nothing here says what runs the Gateway %s; put the Gateway into the input, name it by --kserve-gateway-class, or correct the class if it is not istio", name)
	case "envoy", "eg", "envoy-gateway", "envoy-ai-gateway":
		s.Set(to+".class", "kgateway", "")
		s.On(to+".class", from).Warn("class %s is taken for Envoy Gateway, which no class of a stack stands for; kgateway stands for it, since it makes nothing beside the objects of the Gateway API for a Gateway that exists", class)
	default:
		serving.GatewayClass(s.Part, to, class, from)
	}
}

// rules of the route. A stack's has one.
func (s *service) rules(rules []gwapiv1.HTTPRouteRule) {
	const from = "spec.router.route.http.spec.rules"
	if s.shippedRules(rules) {
		s.presetRule()
		return
	}
	for i := range rules {
		if i == 0 {
			s.rule(&rules[0], s.at(indexed(from, 0)))
			continue
		}
		if !s.joined(&rules[0], &rules[i]) {
			s.Lost(s.at(indexed(from, i)), "a further rule with filters, timeouts or backends of its own; a stack's route has one rule")
		}
	}
}

// joined adds the matches of a rule that is like the first otherwise.
func (s *service) joined(first, other *gwapiv1.HTTPRouteRule) bool {
	a, b := first.DeepCopy(), other.DeepCopy()
	a.Matches, b.Matches, a.Name, b.Name = nil, nil, nil, nil
	if !reflect.DeepEqual(a, b) || len(first.Filters) > 0 {
		return false
	}
	for _, m := range other.Matches {
		s.Append("spec.route.matches", m, "")
	}
	return true
}

// shippedRules reports whether the rules are those of the preset.
func (s *service) shippedRules(rules []gwapiv1.HTTPRouteRule) bool {
	data, err := json.Marshal(at(s.presets, "router", "route", "http", "spec", "rules"))
	var shipped []gwapiv1.HTTPRouteRule
	return err == nil && json.Unmarshal(data, &shipped) == nil && len(shipped) > 0 && reflect.DeepEqual(shipped, rules)
}

// presetRule stands for the preset's rules by path: all that is below /NAMESPACE/NAME reaches
// the servers as it is below /.
func (s *service) presetRule() {
	at := s.at("spec.router.route")
	s.Set("spec.route.matches", []any{map[string]any{"path": map[string]any{"type": "PathPrefix", "value": "/" + s.namespace() + "/" + s.Doc.Name}}}, at)
	s.Set("spec.route.filters", []any{map[string]any{"type": "URLRewrite", "urlRewrite": map[string]any{
		"path": map[string]any{"type": "ReplacePrefixMatch", "replacePrefixMatch": "/"},
	}}}, at)
	s.noScheduler()
	s.On("spec.route", at).Warn("only KServe's rules for the path /%s/%s are carried over: a stack's route has one rule, so that requests for /%s and those with the header %s: %s find none", s.namespace(), s.Doc.Name, s.published(*s.spec.Model.Name), s.settings.header, s.published(*s.spec.Model.Name))
}

// noScheduler has the route lead to the Service where the stack makes no pool.
func (s *service) noScheduler() {
	if sc := s.spec.Router.Scheduler; sc == nil || sc.Pool != nil && sc.Pool.Ref != nil {
		s.Set("spec.route.backend", "service", "")
	}
}

// rule is the one rule of the route.
func (s *service) rule(r *gwapiv1.HTTPRouteRule, from string) {
	if len(r.Matches) > 0 {
		s.Set("spec.route.matches", r.Matches, from+".matches")
	}
	if len(r.Filters) > 0 {
		s.Set("spec.route.filters", r.Filters, from+".filters")
	}
	if t := r.Timeouts; t != nil {
		if t.Request != nil {
			s.Set("spec.route.timeouts.request", *t.Request, from+".timeouts.request")
		}
		if t.BackendRequest != nil {
			s.Set("spec.route.timeouts.backendRequest", *t.BackendRequest, from+".timeouts.backendRequest")
		}
	}
	if r.Retry != nil || r.SessionPersistence != nil {
		s.Lost(from, "retry and sessionPersistence of a rule")
	}
	s.backends(r.BackendRefs, from+".backendRefs")
}

// backends are the pool, the Service, or other pools beside it.
func (s *service) backends(refs []gwapiv1.HTTPBackendRef, from string) {
	s.noScheduler()
	for i, b := range refs {
		at := indexed(from, i)
		kind, name := "Service", string(b.Name)
		if b.Kind != nil {
			kind = string(*b.Kind)
		}
		weight := int32(1)
		if b.Weight != nil {
			weight = *b.Weight
		}
		if len(b.Filters) > 0 {
			s.Lost(at+".filters", "filters of a backend")
		}
		switch {
		case kind == "InferencePool" && name == s.poolName():
			s.Set("spec.route.weight", weight, at)
		case kind == "Service" && name == s.child("-kserve-workload-svc") && len(refs) == 1:
			s.Set("spec.route.backend", "service", at)
		case kind == "InferencePool":
			split := map[string]any{"pool": name, "weight": weight}
			if b.Namespace != nil {
				split["namespace"] = string(*b.Namespace)
			}
			s.Append("spec.route.split", split, at)
		default:
			s.Lost(at, "the %s %s as a backend; a stack's route leads to pools, or to its own Service", kind, name)
		}
	}
}
