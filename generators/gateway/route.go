package gateway

import (
	"cmp"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	gwapiv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/inferstack/inferstack/generators/base"
	"github.com/inferstack/inferstack/generators/pool"
)

// Route makes an HTTPRoute for each gateway.
func Route(s *base.Stack) []base.Object {
	var objects []base.Object
	for _, f := range fronts(s) {
		if f.HasRoute() {
			objects = append(objects, f.httpRoute())
		}
	}
	return objects
}

func (f front) httpRoute() *gwapiv1.HTTPRoute {
	return &gwapiv1.HTTPRoute{
		TypeMeta:   metav1.TypeMeta{APIVersion: gwapiv1.GroupVersion.String(), Kind: "HTTPRoute"},
		ObjectMeta: f.MetaIn(f.RouteNamespace(), base.ComponentGateway, f.RouteName()),
		Spec: gwapiv1.HTTPRouteSpec{
			CommonRouteSpec: gwapiv1.CommonRouteSpec{ParentRefs: []gwapiv1.ParentReference{f.parentRef()}},
			Hostnames:       f.hostnames(),
			Rules: []gwapiv1.HTTPRouteRule{{
				Matches:     f.matches(),
				Filters:     f.filters(),
				BackendRefs: f.backendRefs(),
				Timeouts:    f.timeouts(),
			}},
		},
	}
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

func (f front) hostnames() []gwapiv1.Hostname {
	var out []gwapiv1.Hostname
	for _, h := range f.Spec.Route.Hostnames {
		out = append(out, gwapiv1.Hostname(h))
	}
	return out
}

// backendRefs is this stack's backend, and the pools that share the traffic.
func (f front) backendRefs() []gwapiv1.HTTPBackendRef {
	own := gwapiv1.BackendRef{
		BackendObjectReference: f.poolRef(f.PoolName(), f.Namespace()),
		Weight:                 new(f.Spec.Route.Weight),
	}
	if f.ToService() {
		own.BackendObjectReference = f.serviceRef()
	}
	refs := []gwapiv1.HTTPBackendRef{{BackendRef: own}}
	for _, other := range f.Spec.Route.Split {
		refs = append(refs, gwapiv1.HTTPBackendRef{BackendRef: gwapiv1.BackendRef{
			BackendObjectReference: f.poolRef(other.Pool, cmp.Or(other.Namespace, f.Namespace())),
			Weight:                 new(other.Weight),
		}})
	}
	return refs
}

func (f front) poolRef(name, namespace string) gwapiv1.BackendObjectReference {
	return gwapiv1.BackendObjectReference{
		Group:     new(gwapiv1.Group(pool.Group)),
		Kind:      new(gwapiv1.Kind(pool.Kind)),
		Name:      gwapiv1.ObjectName(name),
		Namespace: f.unlessOwn(namespace),
	}
}

func (f front) serviceRef() gwapiv1.BackendObjectReference {
	return gwapiv1.BackendObjectReference{
		Group:     new(gwapiv1.Group("")),
		Kind:      new(gwapiv1.Kind("Service")),
		Name:      gwapiv1.ObjectName(f.ServiceName()),
		Namespace: f.unlessOwn(f.Namespace()),
		Port:      new(gwapiv1.PortNumber(f.ServicePort())),
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
func (f front) timeouts() *gwapiv1.HTTPRouteTimeouts {
	if !f.Gateway.Row().RouteTimeouts {
		return nil
	}
	spec := &f.Spec.Route.Timeouts
	timeouts := &gwapiv1.HTTPRouteTimeouts{Request: new(gwapiv1.Duration(spec.Request))}
	if spec.BackendRequest != "" {
		timeouts.BackendRequest = new(gwapiv1.Duration(spec.BackendRequest))
	}
	return timeouts
}
