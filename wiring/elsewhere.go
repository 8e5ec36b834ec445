package wiring

import "github.com/inferstack/inferstack/internal/lists"

// elsewhere is the ConfigMap or Gateway that an edge would arrive at in another namespace of
// the set. Secrets and accounts of one name are often in several, each made by hand.
func (g *G) elsewhere(e Edge) *Object {
	if e.From.Kind == "EnvoyFilter" { // envoyfilter-namespace says so
		return nil
	}
	if e.State != Prerequisite || e.To.Namespace == "" || e.To.Kind != "ConfigMap" && e.To.Kind != "Gateway" {
		return nil
	}
	return lists.First(g.Kinds(e.To.Kind), func(o *Object) bool {
		return o.Name == e.To.Name && o.Group == groupFor(e.To) && !sameNamespace(o.Namespace, e.To.Namespace)
	})
}

// groupFor is the API group of a reference to a ConfigMap or a Gateway.
func groupFor(to Ref) string {
	if to.Kind == "Gateway" {
		return gatewayGroup
	}
	return ""
}
