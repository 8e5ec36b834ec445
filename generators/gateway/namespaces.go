package gateway

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	gwapiv1 "sigs.k8s.io/gateway-api/apis/v1"
)

// allowedNamespaces says whose routes may attach: those of the namespaces that the
// spec lists, else the Gateway's own and the route's.
func (f front) allowedNamespaces() *gwapiv1.RouteNamespaces {
	allowed := f.AllowedNamespaces()
	slices.Sort(allowed)
	allowed = slices.Compact(allowed)
	switch {
	case slices.Contains(allowed, "*"):
		return &gwapiv1.RouteNamespaces{From: new(gwapiv1.NamespacesFromAll)}
	case len(allowed) == 1 && allowed[0] == f.GatewayNamespace():
		return &gwapiv1.RouteNamespaces{From: new(gwapiv1.NamespacesFromSame)}
	}
	return &gwapiv1.RouteNamespaces{
		From: new(gwapiv1.NamespacesFromSelector),
		Selector: &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{
			Key:      corev1.LabelMetadataName,
			Operator: metav1.LabelSelectorOpIn,
			Values:   allowed,
		}}},
	}
}
