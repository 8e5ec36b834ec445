package rules

import (
	"net/netip"
	"slices"
	"strings"

	"github.com/inferstack/inferstack/finding"
	"github.com/inferstack/inferstack/schema"
)

// hostnames judges the host names of listeners and route.
func hostnames(s stack) []schema.Problem {
	return append(addresses(s), hostnamesAreServed(s)...)
}

// addresses refuses IP addresses in the place of host names, which no gateway matches
// (Gateway API v1.6.0, Hostname).
func addresses(s stack) (out []schema.Problem) {
	judge := func(at, name string) {
		if _, err := netip.ParseAddr(name); err == nil {
			out = append(out, s.Problem(schema.Error, at, "must be a host name, not an IP address (got %s)", name))
		}
	}
	for _, g := range s.gatewaysAt() {
		for i, l := range g.Listeners {
			judge(finding.Indexed(g.path+".listeners", i)+".hostname", l.Hostname)
		}
	}
	for i, name := range s.Spec.Route.Hostnames {
		judge(finding.Indexed("spec.route.hostnames", i), name)
	}
	for i, rule := range s.Spec.Route.Rules {
		for j, name := range rule.Hostnames {
			judge(finding.Indexed(finding.Indexed("spec.route.rules", i)+".hostnames", j), name)
		}
	}
	return out
}

// hostnamesAreServed refuses host names of the route that no listener it attaches to
// serves, on whatever gateway: they would be left out silently, or the route not
// be taken at all (Gateway API v1.6.0, HTTPRouteSpec.Hostnames).
func hostnamesAreServed(s stack) []schema.Problem {
	var served []string
	for _, g := range s.gatewaysAt() {
		names := s.servedHostnames(g)
		if len(names) == 0 {
			return nil
		}
		served = append(served, names...)
	}
	if len(served) == 0 {
		return nil
	}
	var out []schema.Problem
	for _, r := range s.RouteRules() {
		at := "spec.route.hostnames"
		if r.OwnHostnames {
			at = r.Path + ".hostnames"
		}
		for i, name := range r.Hostnames {
			if !slices.ContainsFunc(served, func(l string) bool { return hostnamesMeet(l, name) }) {
				out = append(out, s.Problem(schema.Error, finding.Indexed(at, i),
					"no listener that the route attaches to serves %s, only %s", name, strings.Join(served, ", ")))
			}
		}
	}
	return slices.CompactFunc(out, func(a, b schema.Problem) bool { return a.Path == b.Path })
}

// servedHostnames lists the host names of the listeners that the route attaches to. It
// is empty when one of them serves all, or when the listeners are not ours to know.
func (s stack) servedHostnames(g gatewayAt) (names []string) {
	if g.Existing || g.Standalone() {
		return nil
	}
	for _, l := range g.Listeners {
		if section := s.Spec.Route.SectionName; section != "" && section != l.Name {
			continue
		}
		if l.Hostname == "" {
			return nil
		}
		names = append(names, l.Hostname)
	}
	return names
}

// hostnamesMeet reports whether a listener's and a route's host name have a name in common.
// A leading *. stands for one label or more.
func hostnamesMeet(listener, route string) bool {
	return listener == route || under(listener, route) || under(route, listener)
}

// under reports whether name, itself maybe with a leading *., lies below wildcard.
func under(wildcard, name string) bool {
	suffix, found := strings.CutPrefix(wildcard, "*")
	return found && strings.HasSuffix(strings.TrimPrefix(name, "*"), suffix) && name != suffix
}
