package generators

import (
	"slices"
	"strings"

	"github.com/inferstack/inferstack/generators/base"
)

// A gatewayIndex finds the Gateways that stacks make, by namespace and name.
type gatewayIndex map[[2]string]base.Front

func indexGateways(stacks []*base.Stack) gatewayIndex {
	index := gatewayIndex{}
	for _, s := range stacks {
		for _, f := range s.Fronts() {
			if !f.Standalone() && !f.Gateway.Existing {
				index[[2]string{f.GatewayNamespace(), f.GatewayName()}] = f
			}
		}
	}
	return index
}

// closedTo reports routes that attach to another stack's Gateway whose listeners let none
// from their namespace in, or that name a listener which it does not have: the Gateway
// would ignore them silently.
func (index gatewayIndex) closedTo(s *base.Stack) (out []Conflict) {
	for i, f := range s.Fronts() {
		made, ok := index[[2]string{f.GatewayNamespace(), f.GatewayName()}]
		if !ok || !f.Gateway.Existing || !f.HasRoute() {
			continue
		}
		at := "spec.gateway"
		if i > 0 {
			at = "spec.extraGateways"
		}
		allowed := made.AllowedNamespaces()
		if !slices.Contains(allowed, "*") && !slices.Contains(allowed, f.RouteNamespace()) {
			out = append(out, conflict(s.Stack, at, "the Gateway %s of %s admits routes of the namespaces %s only; add %q to gateway.allowedNamespaces there",
				f.GatewayName(), where(made.Stack.Stack), strings.Join(slices.Compact(allowed), ", "), f.RouteNamespace()))
		}
		if names := listenerNames(made); f.Spec.Route.SectionName != "" && !slices.Contains(names, f.Spec.Route.SectionName) {
			out = append(out, conflict(s.Stack, "spec.route.sectionName", "the Gateway %s of %s has no listener %q; it has %s",
				f.GatewayName(), where(made.Stack.Stack), f.Spec.Route.SectionName, strings.Join(names, ", ")))
		}
	}
	return out
}

func listenerNames(f base.Front) (names []string) {
	if len(f.Gateway.Listeners) == 0 {
		return []string{"default"}
	}
	for _, l := range f.Gateway.Listeners {
		names = append(names, l.Name)
	}
	return names
}
