package gateway

import (
	"cmp"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	gwapiv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/inferstack/inferstack/generators/base"
	"github.com/inferstack/inferstack/generators/pool"
	"github.com/inferstack/inferstack/internal/lists"
	"github.com/inferstack/inferstack/schema"
)

// Route makes the HTTPRoutes of each gateway: one, unless rules have host names of their own.
func Route(s *base.Stack) (objects []base.Object) {
	for _, f := range fronts(s) {
		for _, r := range f.HTTPRoutes() {
			objects = append(objects, f.httpRoute(&r))
		}
	}
	return objects
}

func (f front) httpRoute(r *base.HTTPRoute) *gwapiv1.HTTPRoute {
	rules := make([]gwapiv1.HTTPRouteRule, len(r.Rules))
	for i := range r.Rules {
		rules[i] = f.rule(&r.Rules[i])
	}
	return &gwapiv1.HTTPRoute{
		TypeMeta:   metav1.TypeMeta{APIVersion: gwapiv1.GroupVersion.String(), Kind: "HTTPRoute"},
		ObjectMeta: f.MetaIn(f.RouteNamespace(), base.ComponentGateway, r.ObjectName),
		Spec: gwapiv1.HTTPRouteSpec{
			CommonRouteSpec: gwapiv1.CommonRouteSpec{ParentRefs: []gwapiv1.ParentReference{f.parentRef()}},
			Hostnames:       hostnames(r.Hostnames),
			Rules:           rules,
		},
	}
}

func (f front) rule(r *schema.PlannedRule) gwapiv1.HTTPRouteRule {
	rule := gwapiv1.HTTPRouteRule{Matches: matches(r.Matches), Filters: filters(r.Filters)}
	for i := range r.Backends {
		rule.BackendRefs = append(rule.BackendRefs, f.backendRef(&r.Backends[i]))
	}
	if len(r.Backends) > 0 {
		rule.Timeouts = f.timeouts(&r.Timeouts)
	}
	return rule
}

func (f front) parentRef() gwapiv1.ParentReference {
	ref := gwapiv1.ParentReference{
		Group: new(gwapiv1.Group(gwapiv1.GroupName)),
		Kind:  new(gwapiv1.Kind("Gateway")),
		Name:  gwapiv1.ObjectName(f.GatewayName()),
	}
	if f.GatewayNamespace() != f.RouteNamespace() {
		ref.Namespace = new(gwapiv1.Namespace(f.GatewayNamespace()))
	}
	if section := f.Spec.Route.SectionName; section != "" {
		ref.SectionName = new(gwapiv1.SectionName(section))
	}
	return ref
}

func hostnames(names []string) []gwapiv1.Hostname {
	return lists.Map(names, func(h string) gwapiv1.Hostname { return gwapiv1.Hostname(h) })
}

// backendRef is this stack's backend, or another one that shares the traffic.
func (f front) backendRef(b *schema.PlannedBackend) gwapiv1.HTTPBackendRef {
	namespace := cmp.Or(b.Namespace, f.Namespace())
	ref := gwapiv1.BackendRef{Weight: new(b.Weight)}
	switch {
	case f.byService(b):
		ref.BackendObjectReference = f.serviceRef(f.ServiceName(), namespace, f.ServicePort())
	case b.IsService():
		ref.BackendObjectReference = f.serviceRef(b.Name, namespace, *b.Port)
	default:
		ref.BackendObjectReference = f.poolRef(cmp.Or(b.Name, f.PoolName()), namespace)
	}
	return gwapiv1.HTTPBackendRef{BackendRef: ref}
}

// byService reports whether a backend is this stack's and reached by the plain Service: as the
// user asks, or because the class accepts no pool.
func (f front) byService(b *schema.PlannedBackend) bool {
	return b.Own && (b.IsService() || f.Gateway.UsesEnvoyFilter())
}

func (f front) poolRef(name, namespace string) gwapiv1.BackendObjectReference {
	return gwapiv1.BackendObjectReference{
		Group:     new(gwapiv1.Group(pool.Group)),
		Kind:      new(gwapiv1.Kind(pool.Kind)),
		Name:      gwapiv1.ObjectName(name),
		Namespace: f.unlessOwn(namespace),
	}
}

func (f front) serviceRef(name, namespace string, port int32) gwapiv1.BackendObjectReference {
	return gwapiv1.BackendObjectReference{
		Group:     new(gwapiv1.Group("")),
		Kind:      new(gwapiv1.Kind("Service")),
		Name:      gwapiv1.ObjectName(name),
		Namespace: f.unlessOwn(namespace),
		Port:      new(gwapiv1.PortNumber(port)),
	}
}

// unlessOwn returns a namespace that is not the route's own.
func (f front) unlessOwn(namespace string) *gwapiv1.Namespace {
	if namespace == f.RouteNamespace() {
		return nil
	}
	return new(gwapiv1.Namespace(namespace))
}

// timeouts are left out where the controller refuses them, as GKE's does.
func (f front) timeouts(spec *schema.Timeouts) *gwapiv1.HTTPRouteTimeouts {
	if !f.Gateway.Row().RouteTimeouts {
		return nil
	}
	timeouts := &gwapiv1.HTTPRouteTimeouts{Request: new(gwapiv1.Duration(spec.Request))}
	if spec.BackendRequest != "" {
		timeouts.BackendRequest = new(gwapiv1.Duration(spec.BackendRequest))
	}
	return timeouts
}
