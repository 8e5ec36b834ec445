package generators

import (
	"strconv"

	"github.com/inferstack/inferstack/generators/base"
	"github.com/inferstack/inferstack/generators/manifest"
	"github.com/inferstack/inferstack/schema"
)

// Annotations that delivery tools read.
const (
	annotationSyncWave   = "argocd.argoproj.io/sync-wave"
	annotationSubstitute = "kustomize.toolkit.fluxcd.io/substitute"
)

// syncWaves are Argo CD's waves: configuration, gateway, everything that serves, and
// what observes and scales it. A claim is in the pods' wave, because Argo CD waits for it
// to be bound and most storage classes bind with the first pod (argo-cd issue 12840).
// Pool, EPP and route are together: a pool is accepted only when a route names it.
var syncWaves = map[string]int{
	"ServiceAccount":          -2,
	"Role":                    -2,
	"ClusterRole":             -2,
	"RoleBinding":             -2,
	"ClusterRoleBinding":      -2,
	"Secret":                  -2,
	"ConfigMap":               -2,
	"ResourceClaimTemplate":   -2,
	"NetworkPolicy":           -2,
	"GatewayParameters":       -1,
	"AgentgatewayParameters":  -1,
	"Gateway":                 -1,
	"TriggerAuthentication":   1,
	"HorizontalPodAutoscaler": 1,
	"ScaledObject":            1,
	"PodMonitor":              1,
	"ServiceMonitor":          1,
	"PrometheusRule":          1,
	"Job":                     2,
}

// deliver puts the labels, annotations and ordering hints of spec.delivery on the
// objects. They go on the object alone, never into selectors or pod templates, and never
// over what the object says already: a label of the gateway or of the monitors is closer
// to the object than one for all.
func deliver(s *base.Stack, objects []base.Object) {
	for _, o := range objects {
		o.SetLabels(base.Joined(s.Spec.Delivery.Labels, o.GetLabels()))
		o.SetAnnotations(base.Joined(s.Spec.Delivery.Annotations, o.GetAnnotations()))
		o.SetAnnotations(base.Joined(o.GetAnnotations(), hints(s, o)))
	}
}

// hints returns the annotations by which Argo CD and Flux treat the object rightly.
func hints(s *base.Stack, o base.Object) map[string]string {
	hints := map[string]string{}
	if s.Spec.Delivery.SyncWaves {
		hints[annotationSyncWave] = strconv.Itoa(syncWaves[manifest.KindOf(o)])
	}
	return hints
}

// Manifests are the objects of a stack as text. Flux is kept from those that hold a ${, which it
// would replace, with nothing if it does not know the name, or a $$, of which it would leave one.
func Manifests(s *schema.Stack, objects []base.Object) []manifest.Manifest {
	out := manifest.List(objects)
	if !s.Spec.Delivery.FluxSubstitutionGuard {
		return out
	}
	for i, o := range objects {
		if out[i].Contains("${") || out[i].Contains("$$") {
			o.SetAnnotations(base.Joined(o.GetAnnotations(), map[string]string{annotationSubstitute: "disabled"}))
			out[i] = manifest.Of(o)
		}
	}
	return out
}
