package wiring

import (
	"slices"
	"strings"
	"sync"

	"github.com/inferstack/inferstack/kubeschema"
	"github.com/inferstack/inferstack/release"
)

var kindRules = []Rule{{
	ID: kindUnknown, Severity: Error,
	Doc: "An object is of a kind that its API version does not have, and is nearly one that is known: Deploymnet or deployment, app/v1 in place of apps/v1, a " +
		"version that Kubernetes has not. kubectl says that no matches are found for its kind, and its rules here do not see it. A version of a CRD " +
		"that is not known is a warning: a newer release may serve it.",
	each: of[*Object]{allObjects, func(g *G, r *report, o *Object) {
		if templated(o.APIVersion+o.Kind) || knownKinds()[o.APIVersion+" "+o.Kind] {
			return
		}
		if meant := nearKind(o); meant != "" {
			r.add(o.in("kind"), Ref{}, "%s has no kind %s", o.APIVersion, o.Kind).fix("did you mean %s?", meant)
			return
		}
		if meant := nearVersion(o); meant != "" {
			f := r.add(o.in("apiVersion"), Ref{}, "there is no %s in %s", o.Kind, o.APIVersion)
			f.fix("write %s", meant)
			if strings.Contains(o.Group, ".") {
				f.Severity = Warning
			}
		}
	}},
}}

// kindUnknown is the rule about the kinds of objects.
const kindUnknown = "kind-unknown"

// furtherKinds are those whose fields are not looked into (k8s.io/api v0.36, gateway-api v1.6.0, and the CRDs
// of Istio 1.31, KEDA 2.18, prometheus-operator v0.92, kgateway v2.2 and lws).
var furtherKinds = map[string]string{
	"v1":                                     "Namespace PersistentVolume Endpoints Event LimitRange List Node PodTemplate ReplicationController ResourceQuota",
	"apps/v1":                                "ControllerRevision ReplicaSet",
	"policy/v1":                              "Eviction",
	"networking.k8s.io/v1":                   "IngressClass IPAddress ServiceCIDR",
	"autoscaling/v1":                         "Scale",
	"storage.k8s.io/v1":                      "StorageClass CSIDriver CSINode VolumeAttachment VolumeAttributesClass",
	"scheduling.k8s.io/v1":                   "PriorityClass",
	"admissionregistration.k8s.io/v1":        "MutatingWebhookConfiguration ValidatingWebhookConfiguration ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding",
	"apiextensions.k8s.io/v1":                "CustomResourceDefinition",
	"apiregistration.k8s.io/v1":              "APIService",
	"certificates.k8s.io/v1":                 "CertificateSigningRequest",
	"coordination.k8s.io/v1":                 "Lease",
	"discovery.k8s.io/v1":                    "EndpointSlice",
	"events.k8s.io/v1":                       "Event",
	"node.k8s.io/v1":                         "RuntimeClass",
	"resource.k8s.io/v1":                     "DeviceClass ResourceClaim ResourceSlice",
	"gateway.networking.k8s.io/v1":           "GatewayClass BackendTLSPolicy ListenerSet TLSRoute",
	"gateway.networking.k8s.io/v1beta1":      "GatewayClass",
	"gateway.networking.k8s.io/v1alpha2":     "TCPRoute TLSRoute UDPRoute",
	"monitoring.coreos.com/v1":               "Prometheus Alertmanager Probe ThanosRuler",
	"monitoring.coreos.com/v1alpha1":         "AlertmanagerConfig PrometheusAgent ScrapeConfig",
	"keda.sh/v1alpha1":                       "ClusterTriggerAuthentication ScaledJob",
	"networking.istio.io/v1alpha3":           "Gateway ServiceEntry Sidecar VirtualService WorkloadEntry WorkloadGroup",
	"networking.istio.io/v1beta1":            "Gateway ProxyConfig ServiceEntry Sidecar VirtualService WorkloadEntry WorkloadGroup",
	"gateway.kgateway.dev/v1alpha1":          "Backend DirectResponse GatewayExtension HTTPListenerPolicy ListenerPolicy",
	"disaggregatedset.x-k8s.io/v1":           "DisaggregatedSetRoleScaler",
	"kustomize.config.k8s.io/v1beta1":        "Kustomization",
	"kustomize.config.k8s.io/v1alpha1":       "Component",
	"networking.istio.io/v1":                 "Gateway ProxyConfig ServiceEntry Sidecar VirtualService WorkloadEntry WorkloadGroup",
	"inference.networking.x-k8s.io/v1alpha2": "InferencePoolImport",
}

// knownKinds are the API versions with their kinds.
var knownKinds = sync.OnceValue(func() map[string]bool {
	out := map[string]bool{}
	for _, kind := range kubeschema.Kinds() {
		out[kind] = true
	}
	for _, s := range release.AllServed() {
		out[s.APIVersion+" "+s.Kind] = true
	}
	for version, kinds := range furtherKinds {
		for kind := range strings.FieldsSeq(kinds) {
			out[version+" "+kind] = true
		}
	}
	return out
})

// nearKind is the kind of an API version that was most likely meant, unless another version of
// the group has the kind.
func nearKind(o *Object) string {
	var kinds []string
	for known := range knownKinds() {
		version, kind, _ := strings.Cut(known, " ")
		if kind == o.Kind && groupOf(version) == o.Group {
			return ""
		}
		if version == o.APIVersion {
			kinds = append(kinds, kind)
		}
	}
	slices.Sort(kinds)
	for _, kind := range kinds {
		if strings.EqualFold(kind, o.Kind) {
			return kind
		}
	}
	return Near(o.Kind, kinds)
}

// nearVersion is an API version that has a kind, for one that has not: of the same group, or of
// one of Kubernetes' own groups, which have no dots.
func nearVersion(o *Object) string {
	var versions []string
	for known := range knownKinds() {
		version, kind, _ := strings.Cut(known, " ")
		served, ok := release.ServedBy(version, kind)
		if kind == o.Kind && (!ok || served.Until == "") && (groupOf(version) == o.Group || !strings.Contains(o.Group, ".")) {
			versions = append(versions, version)
		}
	}
	slices.Sort(versions)
	if meant := Near(o.APIVersion, versions); meant != "" {
		return meant
	}
	if len(versions) > 0 {
		return versions[len(versions)-1]
	}
	return ""
}
