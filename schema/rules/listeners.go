package rules

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/inferstack/inferstack/finding"
	"github.com/inferstack/inferstack/internal/near"
	"github.com/inferstack/inferstack/schema"
	"github.com/inferstack/inferstack/schema/document"
)

// listenersFit checks the listeners of the Gateways.
func listenersFit(s stack) (out []schema.Problem) {
	for _, g := range s.gatewaysAt() {
		var names, addresses []string
		for i, l := range g.Listeners {
			at := finding.Indexed(g.path+".listeners", i)
			if slices.Contains(names, l.Name) {
				out = append(out, s.Problem(schema.Error, at+".name", "%s is the name of another listener", l.Name))
			}
			address := strconv.Itoa(int(l.Port)) + " " + l.Hostname
			if slices.Contains(addresses, address) {
				out = append(out, s.Problem(schema.Error, at+".port", "%d is taken by another listener; give each a hostname of its own", l.Port))
			}
			names, addresses = append(names, l.Name), append(addresses, address)
			out = append(out, s.listenerTLS(g, at, &g.Listeners[i])...)
		}
		out = append(out, s.sectionName(g)...)
	}
	return out
}

func (s stack) listenerTLS(g gatewayAt, at string, l *schema.Listener) (out []schema.Problem) {
	switch {
	case l.Protocol == "HTTPS" && l.TLSSecret == "":
		out = append(out, s.Problem(schema.Error, at+".tlsSecret", "is required for protocol HTTPS"))
	case l.Protocol == "HTTP" && l.TLSSecret != "":
		out = append(out, s.Problem(schema.Error, at+".tlsSecret", "needs protocol: HTTPS"))
	case l.TLSSecret == "" && l.TLSSecretNamespace != "":
		out = append(out, s.Problem(schema.Error, at+".tlsSecretNamespace", "needs tlsSecret"))
	case l.TLSSecretNamespace != "" && cmp.Or(g.Namespace, s.Metadata.Namespace) == "":
		out = append(out, s.Problem(schema.Error, "metadata.namespace", "is required because %s is set: a ReferenceGrant names the namespace of the Gateway", schema.Path(at+".tlsSecretNamespace")))
	}
	for _, other := range g.Listeners {
		if other.Port == l.Port && other.Protocol != l.Protocol {
			out = append(out, s.Problem(schema.Error, at+".protocol", "%s and %s cannot share port %d", l.Protocol, other.Protocol, l.Port))
			break
		}
	}
	return out
}

// sectionName checks that the route's listener is there.
func (s stack) sectionName(g gatewayAt) []schema.Problem {
	section := s.Spec.Route.SectionName
	if section == "" || g.Existing || g.Standalone() {
		return nil
	}
	names := []string{"default"}
	if len(g.Listeners) > 0 {
		names = nil
	}
	for _, l := range g.Listeners {
		names = append(names, l.Name)
	}
	if slices.Contains(names, section) {
		return nil
	}
	message := "there is no such listener in " + g.path + ", only " + strings.Join(names, ", ")
	if n := near.Of(section, names); n != "" {
		message = "there is no such listener in " + g.path + "; did you mean " + strconv.Quote(n) + "?"
	}
	return []schema.Problem{s.Problem(schema.Error, "spec.route.sectionName", "%s", message)}
}

// gatewayNamespaces checks who may attach, and that the namespaces that the objects must
// name are known.
func gatewayNamespaces(s stack) []schema.Problem {
	var out []schema.Problem
	route := cmp.Or(s.Spec.Route.Namespace, s.Metadata.Namespace)
	for _, g := range s.gatewaysAt() {
		at := g.path + ".allowedNamespaces"
		for i, name := range g.AllowedNamespaces {
			if name != "*" && document.FormatFlaw("dns-label", name) != "" {
				out = append(out, s.Problem(schema.Error, finding.Indexed(at, i), "must be the name of a namespace, or \"*\" for all (got %q)", name))
			}
		}
		if len(g.AllowedNamespaces) > 0 && route != "" && s.Routed() &&
			!slices.Contains(g.AllowedNamespaces, "*") && !slices.Contains(g.AllowedNamespaces, route) {
			out = append(out, s.Problem(schema.Error, at, "must hold %s, the namespace of the route", route))
		}
	}
	return append(out, s.namespaceNeeded()...)
}

// namespaceNeeded says why the stack's own namespace must be known.
func (s stack) namespaceNeeded() []schema.Problem {
	if s.Metadata.Namespace != "" {
		return nil
	}
	because := ""
	for _, g := range s.gatewaysAt() {
		if g.Namespace != "" {
			because = g.path + ".namespace"
		}
	}
	if s.Spec.Route.Namespace != "" {
		because = "spec.route.namespace"
	}
	for _, r := range s.RouteRules() {
		for _, b := range r.Backends {
			if b.Namespace != "" {
				because = b.Path + ".namespace"
			}
		}
	}
	if because == "" || len(s.gatewaysAt()) == 0 {
		return nil
	}
	return []schema.Problem{s.Problem(schema.Error, "metadata.namespace", "is required because %s is set: what crosses namespaces names both", because)}
}
