package generators

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/inferstack/inferstack/schema"
)

// A front is one of the stack's gateways, with what follows from its place among them.
type front struct {
	*Stack
	gw *schema.Gateway
	// suffix sets the names of a further gateway's objects apart: "" or -2, -3, …
	suffix string
}

// fronts lists the gateways of the stack, the main one first.
func (s *Stack) fronts() []front {
	if s.Spec.Gateway == nil {
		return nil
	}
	out := []front{{Stack: s, gw: s.Spec.Gateway}}
	for i := range s.Spec.ExtraGateways {
		out = append(out, front{Stack: s, gw: &s.Spec.ExtraGateways[i], suffix: "-" + strconv.Itoa(i+2)})
	}
	return out
}

// anyFront says whether one of the gateways has a property.
func (s *Stack) anyFront(is func(front) bool) bool {
	return slices.ContainsFunc(s.fronts(), is)
}

// gatewayName leaves room for the suffix that controllers add to the Gateway's name, such as
// Istio's "-istio", within the 63 characters of a Service name.
func (f front) gatewayName() string {
	return cmp.Or(f.gw.Name, derived(f.Metadata.Name, componentGateway+f.suffix, maxLabel-len("-agentgateway")))
}

func (f front) gatewayNamespace() string { return cmp.Or(f.gw.Namespace, f.namespace()) }

func (f front) routeName() string {
	if f.suffix == "" {
		return f.Stack.routeName()
	}
	return derived(f.Stack.routeName(), f.suffix[1:], maxLabel)
}

func (f front) envoyFilterName() string {
	return cmp.Or(f.gw.EnvoyFilter.Name, f.name("ext-proc"+f.suffix))
}

// standalone says whether the front is a proxy of our own instead of a Gateway.
func (f front) standalone() bool { return f.gw.Class == "envoy" }

// hasRoute says whether the front gets an HTTPRoute.
func (f front) hasRoute() bool { return !f.standalone() && f.Spec.Route.Enabled }

// filtered says whether an EnvoyFilter has to wire the EPP.
func (f front) filtered() bool { return f.hasRoute() && f.scored() && f.gw.UsesEnvoyFilter() }

// native says whether the gateway's controller wires the EPP by itself, from the
// InferencePool that the route names.
func (f front) native() bool { return f.hasRoute() && f.scored() && !f.gw.UsesEnvoyFilter() }

// toService says whether requests enter by the plain Service: as a bypass, because an
// Istio that does not know pools accepts no other backend (pilot
// pkg/config/kube/gateway, InferencePool is not enabled), or as the standalone proxy's
// way past an EPP that is down.
func (f front) toService() bool {
	if f.standalone() {
		return !f.scored() || f.failOpen()
	}
	return f.hasRoute() && !f.native()
}

// scored says whether requests are meant to be scored by the EPP.
func (s *Stack) scored() bool { return s.Spec.Scheduler.Enabled && s.Spec.Route.Backend == "pool" }

// failOpen says whether requests go on without the EPP when it does not answer.
func (s *Stack) failOpen() bool { return s.Spec.Scheduler.FailureMode == "FailOpen" }
