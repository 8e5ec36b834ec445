package generators

import (
	"cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	gwapiv1 "sigs.k8s.io/gateway-api/apis/v1"
	gwapiv1beta1 "sigs.k8s.io/gateway-api/apis/v1beta1"
)

// A crossing is a reference from one namespace into another.
type crossing struct {
	name                    string // of the grant
	fromKind, fromNamespace string
	toGroup, toKind, toName string
	toNamespace             string
}

// referenceGrants makes a grant for each crossing of namespaces, in the namespace that
// is entered.
func referenceGrants(s *Stack) []Object {
	var objects []Object
	seen := map[crossing]bool{}
	for _, f := range s.fronts() {
		for _, c := range append(f.routeCrossings(), f.secretCrossings()...) {
			if c.fromNamespace != c.toNamespace && !seen[c] {
				seen[c] = true
				objects = append(objects, s.referenceGrant(c))
			}
		}
	}
	return objects
}

// routeCrossings leads from the route to its backends.
func (f front) routeCrossings() []crossing {
	if !f.hasRoute() {
		return nil
	}
	from := crossing{fromKind: "HTTPRoute", fromNamespace: f.routeNamespace()}
	own := from
	own.toNamespace = f.namespace()
	if f.toService() {
		own.name, own.toKind, own.toName = f.Stack.name("route-to-service"), "Service", f.serviceName()
	} else {
		own.name, own.toGroup, own.toKind, own.toName = f.Stack.name("route-to-pool"), poolGroup, poolKind, f.poolName()
	}
	out := []crossing{own}
	for _, other := range f.Spec.Route.Split {
		to := from
		to.name = derived(f.Stack.name("route-to"), other.Pool, maxLabel)
		to.toGroup, to.toKind, to.toName = poolGroup, poolKind, other.Pool
		to.toNamespace = cmp.Or(other.Namespace, f.namespace())
		out = append(out, to)
	}
	return out
}

// secretCrossings leads from the Gateway to the certificates of its listeners.
func (f front) secretCrossings() []crossing {
	if f.standalone() || f.gw.Existing {
		return nil
	}
	var out []crossing
	for _, l := range f.gw.Listeners {
		if l.TLSSecretNamespace == "" {
			continue
		}
		out = append(out, crossing{
			name:          derived(f.gatewayName()+"-to", l.TLSSecret, maxLabel),
			fromKind:      "Gateway",
			fromNamespace: f.gatewayNamespace(),
			toKind:        "Secret",
			toName:        l.TLSSecret,
			toNamespace:   l.TLSSecretNamespace,
		})
	}
	return out
}

// referenceGrant is written as v1beta1, which every release of Gateway API serves.
func (s *Stack) referenceGrant(c crossing) *gwapiv1beta1.ReferenceGrant {
	return &gwapiv1beta1.ReferenceGrant{
		TypeMeta:   metav1.TypeMeta{APIVersion: gwapiv1beta1.GroupVersion.String(), Kind: "ReferenceGrant"},
		ObjectMeta: s.metaIn(c.toNamespace, componentGateway, c.name),
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
