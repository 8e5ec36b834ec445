package base

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/inferstack/inferstack/schema"
)

// A Front is one of the stack's gateways, with what follows from its place among them.
type Front struct {
	*Stack
	Gateway *schema.Gateway
	// Suffix sets the names of a further gateway's objects apart: "" or -2, -3, …
	Suffix string
}

// Fronts lists the gateways of the stack, the main one first.
func (s *Stack) Fronts() []Front {
	if s.Spec.Gateway == nil {
		return nil
	}
	out := []Front{{Stack: s, Gateway: s.Spec.Gateway}}
	for i := range s.Spec.ExtraGateways {
		out = append(out, Front{Stack: s, Gateway: &s.Spec.ExtraGateways[i], Suffix: "-" + strconv.Itoa(i+2)})
	}
	return out
}

// AnyFront reports whether one of the gateways has a property.
func (s *Stack) AnyFront(is func(Front) bool) bool {
	return slices.ContainsFunc(s.Fronts(), is)
}

// GatewayName leaves room for the suffix that controllers add to the Gateway's name, such as
// Istio's "-istio", within the 63 characters of a Service name.
func (f Front) GatewayName() string {
	return cmp.Or(f.Gateway.Name, Derived(f.Metadata.Name, ComponentGateway+f.Suffix, MaxLabel-len("-agentgateway")))
}

func (f Front) GatewayNamespace() string { return cmp.Or(f.Gateway.Namespace, f.Namespace()) }

// AllowedNamespaces are those whose routes may attach to the Gateway that the stack makes;
// * stands for all.
func (f Front) AllowedNamespaces() []string {
	if len(f.Gateway.AllowedNamespaces) > 0 {
		return slices.Clone(f.Gateway.AllowedNamespaces)
	}
	return []string{f.GatewayNamespace(), f.RouteNamespace()}
}

func (f Front) RouteName() string {
	if f.Suffix == "" {
		return f.Stack.routeName()
	}
	return Derived(f.Stack.routeName(), f.Suffix[1:], MaxLabel)
}

// An HTTPRoute is one of those that lead from the front to the servers.
type HTTPRoute struct {
	schema.HostRoute
	// ObjectName is the name of the object.
	ObjectName string
}

// HTTPRoutes lists the routes of the front: one, unless rules have host names of their own.
func (f Front) HTTPRoutes() (out []HTTPRoute) {
	if !f.HasRoute() {
		return nil
	}
	for _, h := range f.HostRoutes() {
		name := f.RouteName()
		if h.Name != "" {
			name = Derived(name, h.Name, MaxLabel)
		}
		out = append(out, HTTPRoute{HostRoute: h, ObjectName: name})
	}
	return out
}

func (f Front) EnvoyFilterName() string {
	return cmp.Or(f.Gateway.EnvoyFilter.Name, f.Name("ext-proc"+f.Suffix))
}

// Standalone reports whether the front is a proxy of our own instead of a Gateway.
func (f Front) Standalone() bool { return f.Gateway.Standalone() }

// HasRoute reports whether the front gets an HTTPRoute.
func (f Front) HasRoute() bool { return !f.Standalone() && f.Spec.Route.Enabled }

// RoutedElsewhere reports whether a Gateway that exists leads to the pool by a route that is
// not this stack's.
func (f Front) RoutedElsewhere() bool {
	return !f.Standalone() && f.Gateway.Existing && !f.Spec.Route.Enabled && f.Scored()
}

// Filtered reports whether an EnvoyFilter has to wire the EPP.
func (f Front) Filtered() bool { return f.HasRoute() && f.Scored() && f.Gateway.UsesEnvoyFilter() }

// Native reports whether the gateway's controller wires the EPP by itself, from the
// InferencePool that the route names.
func (f Front) Native() bool { return f.HasRoute() && f.Scored() && !f.Gateway.UsesEnvoyFilter() }

// ToService reports whether requests enter by the plain Service.
func (f Front) ToService() bool { return f.Stack.ToService(f.Gateway) }

// FailOpen reports whether requests go on without the EPP when it does not answer.
func (s *Stack) FailOpen() bool { return s.Spec.Scheduler.FailureMode == "FailOpen" }
