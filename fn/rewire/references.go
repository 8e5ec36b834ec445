package rewire

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/internal/krm"
	"github.com/inferstack/inferstack/internal/pattern"
)

// serviceHost is the DNS name of a Service, wherever it stands in a text: in
// outbound|9002||epp.ns.svc.cluster.local, in a URL, in a configuration file.
var serviceHost = pattern.Lazy(`([a-z0-9](?:[-a-z0-9]*[a-z0-9])?)\.([a-z0-9](?:[-a-z0-9]*[a-z0-9])?)\.svc\b`)

// text fixes the host names in a text.
func (r *rewirer) text(n *yaml.Node) {
	if n.Kind != yaml.ScalarNode || !strings.Contains(n.Value, ".svc") {
		return
	}
	n.Value = serviceHost().ReplaceAllStringFunc(n.Value, func(host string) string {
		parts := strings.Split(host, ".")
		if to, ok := r.find(id{"Service", parts[1], parts[0]}); ok {
			return to.name + "." + to.namespace + ".svc"
		}
		if name, namespace, ok := r.gatewayService(parts[0], parts[1]); ok {
			return name + "." + namespace + ".svc"
		}
		return host
	})
}

// gatewayService finds where the Service of a Gateway's proxy has gone, which the Gateway's
// controller makes: by the name of the Gateway, and Istio by that and its class.
func (r *rewirer) gatewayService(name, namespace string) (newName, newNamespace string, found bool) {
	const istio = "-istio"
	if to, ok := r.find(id{"Gateway", namespace, name}); ok {
		return to.name, to.namespace, true
	}
	gateway, ofIstio := strings.CutSuffix(name, istio)
	to, ok := r.find(id{"Gateway", namespace, gateway})
	return to.name + istio, to.namespace, ofIstio && ok
}

// kinds that a reference means when it names none.
var defaultKinds = map[string]string{
	"parentRefs":      "Gateway",
	"backendRefs":     "Service",
	"backendRef":      "Service",
	"certificateRefs": "Secret",
}

// reference fixes a mapping with a name and a namespace. References without a
// namespace are for kustomize's name references to follow.
func (r *rewirer) reference(n *yaml.Node, key string) {
	name, namespace := krm.Field(n, "name"), krm.Field(n, "namespace")
	if name == nil || namespace == nil || name.Kind != yaml.ScalarNode || namespace.Kind != yaml.ScalarNode {
		return
	}
	kind := defaultKinds[key]
	if k := krm.Field(n, "kind"); k != nil {
		kind = k.Value
	}
	if to, ok := r.find(id{kind, namespace.Value, name.Value}); ok {
		name.Value, namespace.Value = to.name, to.namespace
	}
}

// namespace fixes the name of a namespace, when all that was in it has gone to one.
func (r *rewirer) namespace(n *yaml.Node) {
	if to, ok := r.moves.namespace[n.Value]; ok && to != "" {
		n.Value = to
	}
}

// gatewayName fixes the label by which the pods of a gateway's proxy are known (Gateway
// API, GEP-1762). A selector says the namespace elsewhere, so the name has to do.
func (r *rewirer) gatewayName(n *yaml.Node) {
	found := map[string]bool{}
	for before := range r.moves.to {
		if before.kind == "Gateway" && before.name == n.Value {
			if to, ok := r.find(before); ok {
				found[to.name] = true
			}
		}
	}
	switch len(found) {
	case 0:
	case 1:
		for name := range found {
			n.Value = name
		}
	default:
		r.errorf("selects the proxy of Gateway %s, of which this build has made several", n.Value)
	}
}

// grants fixes the namespaces from which a ReferenceGrant admits references.
func (r *rewirer) grants(item *krm.Object) {
	from := krm.Field(item.Node, "spec", "from")
	if from == nil {
		return
	}
	for _, entry := range from.Content {
		if namespace := krm.Field(entry, "namespace"); namespace != nil {
			r.namespace(namespace)
		}
	}
}

// routeName is how Istio names the route of an HTTPRoute's rule (istio
// pilot/pkg/config/kube/gateway/conversion.go: namespace.name.index).
var routeName = pattern.Lazy(`^([^.]+)\.([^.]+)\.([0-9]+)$`)

// routeNames fixes the routes that an EnvoyFilter matches.
func (r *rewirer) routeNames(item *krm.Object) {
	patches := krm.Field(item.Node, "spec", "configPatches")
	if patches == nil {
		return
	}
	for _, patch := range patches.Content {
		name := krm.Field(patch, "match", "routeConfiguration", "vhost", "route", "name")
		if name == nil {
			continue
		}
		parts := routeName().FindStringSubmatch(name.Value)
		if parts == nil {
			continue
		}
		if to, ok := r.find(id{"HTTPRoute", parts[1], parts[2]}); ok {
			name.Value = to.namespace + "." + to.name + "." + parts[3]
		}
	}
}
