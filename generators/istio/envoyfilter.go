// Package istio makes Istio's own objects: the EnvoyFilter by which an Istio without
// support of InferencePools asks the endpoint picker, and DestinationRules.
package istio

import (
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	gwapiv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/inferstack/inferstack/generators/base"
	"github.com/inferstack/inferstack/generators/envoy"
	"github.com/inferstack/inferstack/generators/extproc"
	"github.com/inferstack/inferstack/internal/apis"
)

// referencedServices tells Istio to keep the clusters of Services that only an
// EnvoyFilter uses, when its gateways hold nothing but what their routes use
// (PILOT_FILTER_GATEWAY_CLUSTER_CONFIG; istio pilot/pkg/model/envoyfilter.go).
const referencedServices = "envoyfilter.istio.io/referenced-services"

// EnvoyFilters makes an EnvoyFilter for each gateway whose Istio does not wire the EPP.
func EnvoyFilters(s *base.Stack) (objects []base.Object) {
	for _, each := range s.Fronts() {
		if f := (front{each}); f.Filtered() {
			objects = append(objects, f.envoyFilter())
		}
	}
	return objects
}

func (f front) envoyFilter() *apis.EnvoyFilter {
	meta := f.MetaIn(f.GatewayNamespace(), base.ComponentGateway, f.EnvoyFilterName())
	meta.Annotations = map[string]string{referencedServices: f.EPPHost()}
	return &apis.EnvoyFilter{
		TypeMeta:   metav1.TypeMeta{APIVersion: "networking.istio.io/v1alpha3", Kind: "EnvoyFilter"},
		ObjectMeta: meta,
		Spec: apis.EnvoyFilterSpec{
			TargetRefs:       f.filterTargets(),
			WorkloadSelector: f.filterWorkloads(),
			ConfigPatches: append([]apis.ConfigPatch{
				f.addOriginalDst(),
				f.insertExtProc(),
				f.insertHeaderGuard(),
			}, f.mergeRoutes()...),
		},
	}
}

// filterTargets names the Gateway, where the declared Istio keeps to it.
func (f front) filterTargets() []apis.TargetReference {
	if f.filterWorkloads() != nil {
		return nil
	}
	return []apis.TargetReference{{Group: gwapiv1.GroupName, Kind: "Gateway", Name: f.GatewayName()}}
}

// filterWorkloads selects the Gateway's proxies by label, and is nil where targetRefs
// does it.
func (f front) filterWorkloads() *apis.WorkloadSelector {
	if own := f.Gateway.EnvoyFilter.WorkloadSelector; len(own) > 0 {
		return &apis.WorkloadSelector{Labels: base.Joined(own)}
	}
	if f.Gateway.Istio.HasTargetRefs() {
		return nil
	}
	return &apis.WorkloadSelector{Labels: map[string]string{base.LabelGatewayName: f.GatewayName()}}
}

// filterID names the filters and the cluster of this stack. It sets them apart from
// those of other stacks behind the same gateway.
func (f front) filterID() string {
	return "inferstack." + f.Namespace() + "." + f.Metadata.Name
}

// addOriginalDst adds the cluster that goes where the EPP says.
func (f front) addOriginalDst() apis.ConfigPatch {
	return apis.ConfigPatch{
		ApplyTo: "CLUSTER",
		Match:   apis.PatchMatch{Context: "GATEWAY"},
		Patch:   apis.Patch{Operation: "ADD", Value: extproc.OriginalDst(f.Stack, f.filterID()+".original-dst")},
	}
}

// insertExtProc inserts the filter before the router, disabled: only our own route
// turns it on. The cluster is the one that Istio makes for the EPP's Service; its TLS
// comes from the DestinationRule.
func (f front) insertExtProc() apis.ConfigPatch {
	cluster := fmt.Sprintf("outbound|%d||%s", f.Spec.Scheduler.Port, f.EPPHost())
	filter := extproc.ExtProcFilter(f.Stack, f.filterID(), cluster)
	filter.Disabled = true
	return apis.ConfigPatch{
		ApplyTo: "HTTP_FILTER",
		Match:   inConnectionManager(&apis.SubFilterMatch{Name: envoy.RouterFilter}),
		Patch:   apis.Patch{Operation: "INSERT_BEFORE", Value: filter},
	}
}

// insertHeaderGuard takes the destination header from every client, so that nobody but
// the EPP chooses an address.
func (f front) insertHeaderGuard() apis.ConfigPatch {
	return apis.ConfigPatch{
		ApplyTo: "HTTP_FILTER",
		Match:   inConnectionManager(nil),
		Patch: apis.Patch{
			Operation: "INSERT_FIRST",
			Value:     envoy.RemoveHeader(f.filterID()+".guard", f.Line.EPP.DestinationHeader),
		},
	}
}

// mergeRoutes patches the rules that lead to this stack's pool.
func (f front) mergeRoutes() (out []apis.ConfigPatch) {
	for _, r := range f.HTTPRoutes() {
		for i := range r.Rules {
			if b := r.Rules[i].Backends; len(b) == 1 && b[0].Own && !b[0].IsService() {
				out = append(out, f.mergeRoute(fmt.Sprintf("%s.%s.%d", f.RouteNamespace(), r.ObjectName, i)))
			}
		}
	}
	return out
}

// mergeRoute sends a rule of ours to the cluster of addOriginalDst and turns ext_proc on for
// it. Istio names an Envoy route after namespace, name and rule of the HTTPRoute,
// whatever the number of matches (istio pilot/pkg/config/kube/gateway, convertHTTPRoute).
func (f front) mergeRoute(name string) apis.ConfigPatch {
	return apis.ConfigPatch{
		ApplyTo: "HTTP_ROUTE",
		Match: apis.PatchMatch{
			Context: "GATEWAY",
			RouteConfiguration: &apis.RouteConfigurationMatch{
				VHost: apis.VHostMatch{Route: apis.RouteMatch{Name: name}},
			},
		},
		Patch: apis.Patch{Operation: "MERGE", Value: envoy.Route{
			Route: envoy.RouteAction{Cluster: f.filterID() + ".original-dst"},
			TypedPerFilterConfig: map[string]any{
				f.filterID(): envoy.ExtProcPerRoute{Type: envoy.TypeExtProcPerRoute},
			},
		}},
	}
}

// inConnectionManager matches the HTTP filters of the gateway's listeners.
func inConnectionManager(sub *apis.SubFilterMatch) apis.PatchMatch {
	return apis.PatchMatch{
		Context: "GATEWAY",
		Listener: &apis.ListenerMatch{FilterChain: apis.FilterChainMatch{
			Filter: apis.FilterMatch{Name: envoy.HTTPConnectionManagerFilter, SubFilter: sub},
		}},
	}
}

// A front is one of the stack's gateways, as this package sees it.
type front struct{ base.Front }
