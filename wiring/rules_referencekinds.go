package wiring

import (
	"slices"
	"strings"
)

var referenceKindRules = []Rule{{
	ID: "reference-kind", Severity: Error,
	Doc: "A reference says a kind that does not exist and is nearly one that it may: inferencepool, Deploymnt, secret. Kinds have capital letters, " +
		"and whoever follows the reference finds nothing by it: a route answers 500, an autoscaler scales nothing. Of a role and of whom it is " +
		"granted to the API server refuses any kind but its own (kubernetes v1.36 pkg/apis/rbac/validation/validation.go).",
	find: func(g *G, r *report) {
		g.eachWrongKind(func(kind place, named namedKinds) {
			f := r.add(kind, Ref{}, "unknown kind %s", kind.field.text())
			if meant := Near(kind.field.text(), named.kinds); meant != "" {
				f.fix("did you mean %s?", meant)
			} else {
				f.fix("name a %s", strings.Join(named.kinds, " or "))
			}
		})
	},
}}

// namedKinds are the kinds that a reference of some objects may say.
type namedKinds struct {
	from, path, kinds []string
	// only says that there are no others.
	only bool
}

func naming(from, path, kinds string) namedKinds {
	return namedKinds{strings.Fields(from), strings.Fields(path), strings.Fields(kinds), false}
}

func namingOnly(from, path, kinds string) namedKinds {
	named := naming(from, path, kinds)
	named.only = true
	return named
}

// kindsNamed are the references that say a kind; each is for every item of a list on its way.
var kindsNamed = []namedKinds{
	naming("HTTPRoute GRPCRoute", "spec parentRefs", "Gateway ListenerSet Service"),
	naming("HTTPRoute GRPCRoute", "spec rules backendRefs", "Service InferencePool"),
	naming("HTTPRoute GRPCRoute", "spec rules filters requestMirror backendRef", "Service InferencePool"),
	naming("Gateway", "spec listeners tls certificateRefs", "Secret"),
	naming("HorizontalPodAutoscaler ScaledObject VariantAutoscaling", "spec scaleTargetRef", "Deployment StatefulSet LeaderWorkerSet ReplicaSet"),
	naming("InferenceObjective InferenceModelRewrite", "spec poolRef", "InferencePool"),
	naming("HealthCheckPolicy GCPBackendPolicy", "spec targetRef", "Service InferencePool ServiceImport"),
	naming("ReferenceGrant", "spec from", "Gateway HTTPRoute GRPCRoute"),
	naming("ReferenceGrant", "spec to", "Service InferencePool Secret"),
	namingOnly("RoleBinding", "roleRef", "Role ClusterRole"),
	namingOnly("ClusterRoleBinding", "roleRef", "ClusterRole"),
	namingOnly("RoleBinding ClusterRoleBinding", "subjects", "ServiceAccount User Group"),
}

// eachWrongKind visits the kinds that references say and should not.
func (g *G) eachWrongKind(visit func(kind place, named namedKinds)) {
	for _, named := range kindsNamed {
		for _, o := range g.Kinds(named.from...) {
			for _, ref := range o.root.every(named.path) {
				kind := ref.at("kind")
				if text := kind.text(); text == "" || templated(text) || slices.Contains(named.kinds, text) || !named.only && Near(text, named.kinds) == "" {
					continue
				}
				visit(place{o, kind}, named)
			}
		}
	}
}

// wrongKinds are those that references say and should not.
func (g *G) wrongKinds() map[string]bool {
	wrong := map[string]bool{}
	g.eachWrongKind(func(kind place, _ namedKinds) { wrong[kind.field.text()] = true })
	return wrong
}

// every is what the keys lead to, by each item of the lists on the way.
func (f field) every(path []string) []field {
	if items := f.list(); items != nil {
		var out []field
		for _, item := range items {
			out = append(out, item.every(path)...)
		}
		return out
	}
	if len(path) == 0 {
		return []field{f}
	}
	return f.at(path[0]).every(path[1:])
}
