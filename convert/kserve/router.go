package kserve

import (
	"fmt"

	gwapiv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/inferstack/inferstack/convert/serving"
)

// router is the way in: EPP and pool, Gateway, route.
func (s *service) router(sets []*set) {
	s.Set("spec.server.service.enabled", true, "")
	s.Set("spec.server.service.name", s.workloadService(), "")
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
	s.grouped(r.Route)
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
