package gateway

import (
	"cmp"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	gwapiv1 "sigs.k8s.io/gateway-api/apis/v1"
	gwapiv1beta1 "sigs.k8s.io/gateway-api/apis/v1beta1"

	"github.com/inferstack/inferstack/generators/base"
	"github.com/inferstack/inferstack/generators/pool"
	"github.com/inferstack/inferstack/schema"
)

// A crossing is a reference from one namespace into another.
type crossing struct {
	name                    string // of the grant
	fromKind, fromNamespace string
	toGroup, toKind, toName string
	toNamespace             string
}

// ReferenceGrants makes a grant for each crossing of namespaces, in the namespace that
// is entered.
func ReferenceGrants(s *base.Stack) (objects []base.Object) {
	seen := map[crossing]bool{}
	for _, f := range fronts(s) {
		for _, c := range append(f.routeCrossings(), f.secretCrossings()...) {
			if c.fromNamespace != c.toNamespace && !seen[c] {
				seen[c] = true
				objects = append(objects, referenceGrant(s, c))
			}
		}
	}
	return objects
}

// routeCrossings leads from the route to its backends.
func (f front) routeCrossings() (out []crossing) {
	if !f.HasRoute() {
		return nil
	}
	for _, rule := range f.RouteRules() {
		for i := range rule.Backends {
			out = append(out, f.backendCrossing(&rule.Backends[i]))
		}
	}
	return out
}

func (f front) backendCrossing(b *schema.PlannedBackend) crossing {
	to := crossing{
		fromKind: "HTTPRoute", fromNamespace: f.RouteNamespace(),
		toNamespace: cmp.Or(b.Namespace, f.Namespace()), toName: b.Name,
	}
	switch {
	case f.byService(b):
		to.name, to.toKind, to.toName = f.Stack.Name("route-to-service"), "Service", f.ServiceName()
	case b.IsService():
		to.name, to.toKind = base.Derived(f.Stack.Name("route-to-service"), b.Name, base.MaxLabel), "Service"
	case b.Own:
		to.name, to.toGroup, to.toKind, to.toName = f.Stack.Name("route-to-pool"), pool.Group, pool.Kind, f.PoolName()
	default:
		to.name, to.toGroup, to.toKind = base.Derived(f.Stack.Name("route-to"), b.Name, base.MaxLabel), pool.Group, pool.Kind
	}
	return to
}

// secretCrossings leads from the Gateway to the certificates of its listeners.
func (f front) secretCrossings() (out []crossing) {
	if f.Standalone() || f.Gateway.Existing {
		return nil
	}
	for _, l := range f.Gateway.Listeners {
		if l.TLSSecretNamespace == "" {
			continue
		}
		out = append(out, crossing{
			name:          base.Derived(f.GatewayName()+"-to", l.TLSSecret, base.MaxLabel),
			fromKind:      "Gateway",
			fromNamespace: f.GatewayNamespace(),
			toKind:        "Secret",
			toName:        l.TLSSecret,
			toNamespace:   l.TLSSecretNamespace,
		})
	}
	return out
}

// referenceGrant is written as v1beta1, which every release of Gateway API serves.
func referenceGrant(s *base.Stack, c crossing) *gwapiv1beta1.ReferenceGrant {
	return &gwapiv1beta1.ReferenceGrant{
		TypeMeta:   metav1.TypeMeta{APIVersion: gwapiv1beta1.GroupVersion.String(), Kind: "ReferenceGrant"},
		ObjectMeta: s.MetaIn(c.toNamespace, base.ComponentGateway, c.name),
		Spec: gwapiv1beta1.ReferenceGrantSpec{
			From: []gwapiv1beta1.ReferenceGrantFrom{{
				Group:     gwapiv1.GroupName,
				Kind:      gwapiv1.Kind(c.fromKind),
				Namespace: gwapiv1.Namespace(c.fromNamespace),
			}},
			To: []gwapiv1beta1.ReferenceGrantTo{{
				Group: gwapiv1.Group(c.toGroup),
				Kind:  gwapiv1.Kind(c.toKind),
				Name:  new(gwapiv1.ObjectName(c.toName)),
			}},
		},
	}
}
