package rules

import (
	"cmp"
	"slices"

	"github.com/inferstack/inferstack/finding"
	"github.com/inferstack/inferstack/schema"
)

// A gatewayAt is a gateway of the stack with its path.
type gatewayAt struct {
	*schema.Gateway
	path string
}

// gatewaysAt lists the gateways of the stack.
func (s stack) gatewaysAt() (out []gatewayAt) {
	if s.Spec.Gateway != nil {
		out = append(out, gatewayAt{s.Spec.Gateway, "spec.gateway"})
	}
	for i := range s.Spec.ExtraGateways {
		out = append(out, gatewayAt{&s.Spec.ExtraGateways[i], finding.Indexed("spec.extraGateways", i)})
	}
	return out
}

// gatewayClass refuses what belongs to another class of gateway.
func gatewayClass(s stack) (out []schema.Problem) {
	if s.Spec.Gateway == nil && len(s.Spec.ExtraGateways) > 0 {
		out = append(out, s.Problem(schema.Error, "spec.extraGateways", "are further ones; write the first as gateway"))
	}
	for _, g := range s.gatewaysAt() {
		for _, class := range schema.GatewayClasses {
			for _, section := range class.Sections {
				if at := g.path + "." + section; class.Name != g.Class && s.Has(at) {
					out = append(out, s.Problem(schema.Error, at, "belongs to class %s, and class is %s; remove it", class.Name, g.Class))
				}
			}
		}
		out = append(out, s.proxySettings(g)...)
	}
	return out
}

// proxySettings refuses settings that the class has no place for.
func (s stack) proxySettings(g gatewayAt) []schema.Problem {
	fields, why := g.Forbidden()
	var out []schema.Problem
	for _, field := range fields {
		if at := g.path + "." + field; s.Has(at) && (field != "existing" || g.Existing) {
			out = append(out, s.Problem(schema.Error, at, "%s", why))
		}
	}
	if g.Existing && g.Name == "" {
		out = append(out, s.Problem(schema.Error, g.path+".name", "is required with existing: true: it is the Gateway to attach to"))
	}
	if g.Replicas != nil && *g.Replicas == 0 {
		out = append(out, s.Problem(schema.Warning, g.path+".replicas", "is 0: no proxy runs, and nothing answers"))
	}
	for _, class := range schema.GatewayClasses {
		if class.Name != g.Class && slices.Contains(class.Names, g.ClassName) && !slices.Contains(g.Row().Names, g.ClassName) {
			out = append(out, s.Problem(schema.Error, g.path+".className", "%s is the GatewayClass of class: %s; set class, so that what is made fits its controller", g.ClassName, class.Name))
		}
	}
	return append(out, s.gatewayMetadata(g)...)
}

// gatewayMetadata keeps to the bounds of a Gateway's infrastructure (Gateway API,
// GatewayInfrastructure) and of the names that controllers derive.
func (s stack) gatewayMetadata(g gatewayAt) (out []schema.Problem) {
	if g.Row().Infrastructure {
		if len(g.Labels) > 8 {
			out = append(out, s.Problem(schema.Error, g.path+".labels", "must be at most 8 (got %d)", len(g.Labels)))
		}
		if len(g.Annotations) > 8 {
			out = append(out, s.Problem(schema.Error, g.path+".annotations", "must be at most 8 (got %d)", len(g.Annotations)))
		}
	}
	if !g.Row().ServiceSuffix || g.Existing {
		return out
	}
	class := g.GatewayClassName()
	if longest := 63 - len("-"+class); len(g.Name) > longest {
		out = append(out, s.Problem(schema.Error, g.path+".name", "must have at most %d characters, for Istio makes a Service %s-%s (got %d)",
			longest, "<name>", class, len(g.Name)))
	}
	return out
}

// gatewayNames refuses two gateways whose objects would have one name in one namespace.
func gatewayNames(s stack) (out []schema.Problem) {
	var seen []string
	for _, g := range s.gatewaysAt() {
		if g.Name == "" {
			continue
		}
		taken := false
		for _, kind := range g.Row().NamedKinds {
			object := kind + "/" + cmp.Or(g.Namespace, s.Metadata.Namespace) + "/" + g.Name
			taken = taken || slices.Contains(seen, object)
			seen = append(seen, object)
		}
		if taken {
			out = append(out, s.Problem(schema.Error, g.path+".name", "%s is the name of another gateway of this stack", g.Name))
		}
	}
	return out
}
