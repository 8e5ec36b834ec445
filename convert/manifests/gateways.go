package manifests

import (
	"slices"

	"github.com/inferstack/inferstack/internal/freeform"
	"github.com/inferstack/inferstack/release"
	"github.com/inferstack/inferstack/schema"
)

// front is the Gateway among the objects that the route names, empty where there is none, and the
// route that others are named after.
func (s *sources) front() (gateway, route object) {
	gateway, route = object{}, object{}
	if all := s.routes(); len(all) > 0 {
		route = all[0]
	}
	for _, m := range s.g.of("Gateway") {
		gateway = m.what
	}
	return gateway, route
}

// classes are those that the gateway could have.
func (s *sources) classes() []string {
	gateway, _ := s.front()
	if row, known := schema.ClassServing(text(gateway, "spec", "gatewayClassName")); known {
		return []string{row.Name} // whatever else of another's would be nearer: it is another proxy
	}
	return []string{"istio", "kgateway", "agentgateway", "gke", "envoy"}
}

// fronts are the gateways that there could be, each alone and with what the route says, since one
// is not near without the other.
func (s *sources) fronts() (out []proposal) {
	gateway, route := s.front()
	name := text(route, "spec", "parentRefs", "", "name")
	for _, class := range s.classes() {
		out = append(out, proposal{"spec.gateway": object{"class": class}})
		if name == "" {
			continue
		}
		named := object{"class": class, "name": name}
		if ns := at(route, "spec", "parentRefs", "", "namespace"); ns != nil {
			named["namespace"] = ns
		}
		existing := freeform.Copy(named).(object)
		existing["existing"] = true
		made := freeform.Copy(named).(object)
		for field, v := range s.listening(gateway) {
			made[field] = v
		}
		for _, g := range []object{named, made, existing} {
			out = append(out, proposal{"spec.gateway": g}, proposal{"spec.gateway": g, "spec.route": s.routing(route)})
		}
	}
	if name == "" {
		out = append(out, s.routedElsewhere()...)
	}
	for _, m := range s.proxies() {
		out = append(out, proposal{"spec.gateway": object{"class": "envoy", "name": m.ref.Name}})
	}
	return out
}

// routing is what a route says, as far as one rule says it.
func (s *sources) routing(route object) object {
	out := object{}
	rule := at(route, "spec", "rules", "")
	for field, v := range map[string]any{
		"name": at(route, "metadata", "name"), "namespace": at(route, "metadata", "namespace"), "hostnames": at(route, "spec", "hostnames"),
		"sectionName": at(route, "spec", "parentRefs", "", "sectionName"), "matches": at(rule, "matches"), "filters": at(rule, "filters"),
	} {
		if v != nil {
			out[field] = freeform.Copy(v)
		}
	}
	for _, all := range s.rules() {
		delete(out, "matches")
		delete(out, "filters")
		out["rules"] = freeform.Copy(all["spec.route.rules"])
	}
	return out
}

// listening are the listeners of a Gateway, and whose routes these allow.
func (s *sources) listening(gateway object) object {
	out := object{}
	var listeners []any
	for _, l := range list(at(gateway, "spec", "listeners")) {
		e := object{"name": at(l, "name"), "port": at(l, "port"), "protocol": at(l, "protocol")}
		if h := at(l, "hostname"); h != nil {
			e["hostname"] = h
		}
		if secret := at(l, "tls", "certificateRefs", "", "name"); secret != nil {
			e["tlsSecret"] = secret
		}
		if ns := at(l, "tls", "certificateRefs", "", "namespace"); ns != nil {
			e["tlsSecretNamespace"] = ns
		}
		listeners = append(listeners, e)
	}
	if listeners != nil {
		out["listeners"] = listeners
	}
	if allowed := allowing(at(gateway, "spec", "listeners", "", "allowedRoutes", "namespaces"), at(gateway, "metadata", "namespace")); allowed != nil {
		out["allowedNamespaces"] = allowed
	}
	return out
}

// allowing are the namespaces that a listener of a Gateway in a namespace lets in, nil where it says
// so by other labels than their names.
func allowing(namespaces, own any) []any {
	switch text(namespaces, "from") {
	case "All":
		return []any{"*"}
	case "Selector":
		if name := at(namespaces, "selector", "matchLabels", "kubernetes.io/metadata.name"); name != nil {
			return []any{name}
		}
		if e := at(namespaces, "selector", "matchExpressions", ""); text(e, "key") == "kubernetes.io/metadata.name" {
			return list(freeform.Copy(at(e, "values")))
		}
		return nil
	}
	if own == nil {
		return nil
	}
	return []any{own}
}

// gateways are the fields of the gateway and its route.
func (s *sources) gateways() [][]proposal {
	out := [][]proposal{s.fronts()}
	gateway, route := s.front()
	if len(s.routes()) == 0 && len(s.g.of("Gateway", "Deployment")) == 0 {
		return out
	}
	listening := s.listening(gateway)
	istio := release.ComponentNamed("istio")
	rule := at(route, "spec", "rules", "")
	out = append(out,
		one("spec.gateway.className", at(gateway, "spec", "gatewayClassName")),
		one("spec.gateway.namespace", at(route, "spec", "parentRefs", "", "namespace")),
		one("spec.gateway.listeners", listening["listeners"]),
		one("spec.gateway.allowedNamespaces", listening["allowedNamespaces"]),
		one("spec.gateway.labels", freeform.Copy(at(gateway, "metadata", "labels"))),
		one("spec.gateway.annotations", at(gateway, "metadata", "annotations")),
		one("spec.gateway.serviceType", "ClusterIP", "NodePort", "LoadBalancer"),
		one("spec.gateway.extProc", "native", "envoyFilter"),
		one("spec.gateway.istio.version", istio.Since("target-refs"), istio.Since("inference-pools")),
		[]proposal{{"spec.gateway.istio.inferenceExtension": false}, {"spec.gateway.istio": object{"version": istio.Since("target-refs"), "inferenceExtension": false}}},
		one("spec.gateway.gke.loadBalancer", "gke-l7-rilb"),
		s.rules(),
	)
	for field, v := range sorted(s.routing(route)) {
		out = append(out, one("spec.route."+field, v))
	}
	out = append(out,
		one("spec.route.backend", "service"),
		one("spec.route.timeouts.request", at(rule, "timeouts", "request")),
		one("spec.route.timeouts.backendRequest", at(rule, "timeouts", "backendRequest")),
	)
	for _, m := range s.proxies() {
		out = append(out, s.envoy(m)...)
	}
	for _, m := range s.g.of("GatewayParameters", "AgentgatewayParameters", "EnvoyProxy", "Deployment", "EnvoyFilter") {
		out = append(out,
			one("spec.gateway.replicas", at(m.what, "spec", "replicas"), at(m.what, "spec", "kube", "deployment", "replicas"), at(m.what, "spec", "deployment", "spec", "replicas")),
			one("spec.gateway.envoyFilter.workloadSelector", at(m.what, "spec", "workloadSelector", "labels")),
			one("spec.gateway.envoyFilter.name", at(m.what, "metadata", "name")))
	}
	return out
}

// guessed says which class was taken for a gateway that is not among the objects.
func (s *sources) guessed(stack object) schema.Problems {
	gateway, route := s.front()
	class := text(stack, "spec", "gateway", "class")
	if len(gateway) > 0 || len(route) == 0 || class == "" || at(stack, "spec", "gateway", "existing") != true {
		return nil
	}
	i := slices.IndexFunc(s.g.members, func(m member) bool { return m.ref.Kind == "HTTPRoute" })
	return schema.Problems{s.g.members[i].Problem(schema.Warning, "spec.parentRefs", "Gateway %s is not among the objects: class %s makes what is nearest to these; give the Gateway as well, or correct spec.gateway.class", text(route, "spec", "parentRefs", "", "name"), class)}
}
