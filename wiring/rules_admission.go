package wiring

import (
	"slices"

	"go.yaml.in/yaml/v3"
	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	resourcev1 "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	gwapiv1 "sigs.k8s.io/gateway-api/apis/v1"
	kjson "sigs.k8s.io/json"
	lwsv1 "sigs.k8s.io/lws/api/leaderworkerset/v1"

	"github.com/inferstack/inferstack/admission"
	"github.com/inferstack/inferstack/internal/apis"
	"github.com/inferstack/inferstack/internal/parallel"
	"github.com/inferstack/inferstack/kubeschema"
	"github.com/inferstack/inferstack/schema"
)

// refusedField is the rule that yields to others about the same line, which know more.
const refusedField = "refused-field"

var admissionRules = []Rule{{
	ID: refusedField, Severity: Error,
	Doc: "A field has the right type, and a value that the API server or the webhook of its kind refuses: a request above its limit, a port name " +
		"that is there twice, a volume without a source, roles of a DisaggregatedSet of which one has no servers. Kubernetes' own kinds, " +
		"HTTPRoutes, LeaderWorkerSets and DisaggregatedSets are judged.",
	find: func(g *G, r *report) {
		for _, o := range g.Objects {
			g.misfits(o) // remembers them, before several look
		}
		found := parallel.Map(len(g.Objects), func(i int) []admission.Flaw { return flaws(g.Objects[i], g.misfitting[g.Objects[i]]) })
		for i, o := range g.Objects {
			for _, flaw := range found[i] {
				at := o.along(flaw.Path)
				if !templatedBelow(at.field) {
					r.add(at, Ref{}, "%s: %s", flaw.Path, flaw.Message)
				}
			}
		}
	},
}}

// admitted makes an empty object of each kind that admission judges.
var admitted = map[string]func() metav1.Object{
	"v1 ConfigMap":                                func() metav1.Object { return new(corev1.ConfigMap) },
	"v1 PersistentVolumeClaim":                    func() metav1.Object { return new(corev1.PersistentVolumeClaim) },
	"v1 Service":                                  func() metav1.Object { return new(corev1.Service) },
	"apps/v1 DaemonSet":                           func() metav1.Object { return new(appsv1.DaemonSet) },
	"apps/v1 Deployment":                          func() metav1.Object { return new(appsv1.Deployment) },
	"apps/v1 StatefulSet":                         func() metav1.Object { return new(appsv1.StatefulSet) },
	"batch/v1 Job":                                func() metav1.Object { return new(batchv1.Job) },
	"autoscaling/v2 HorizontalPodAutoscaler":      func() metav1.Object { return new(autoscalingv2.HorizontalPodAutoscaler) },
	"policy/v1 PodDisruptionBudget":               func() metav1.Object { return new(policyv1.PodDisruptionBudget) },
	"resource.k8s.io/v1 ResourceClaimTemplate":    func() metav1.Object { return new(resourcev1.ResourceClaimTemplate) },
	"gateway.networking.k8s.io/v1 HTTPRoute":      func() metav1.Object { return new(gwapiv1.HTTPRoute) },
	"leaderworkerset.x-k8s.io/v1 LeaderWorkerSet": func() metav1.Object { return new(lwsv1.LeaderWorkerSet) },
	"disaggregatedset.x-k8s.io/v1 DisaggregatedSet": func() metav1.Object {
		return new(apis.DisaggregatedSet)
	},
}

// flaws are what the API server refuses of an object that is whole. One with a field that is not
// known is not judged beyond its values' types: a newer field may take another's place.
func flaws(o *Object, misfits []kubeschema.Problem) []admission.Flaw {
	create := admitted[o.APIVersion+" "+o.Kind]
	if create == nil || !whole(o) || slices.ContainsFunc(misfits, func(p kubeschema.Problem) bool { return p.Missing != "" }) {
		return nil
	}
	typed := create()
	if len(misfits) == 0 && kubeschema.Of(o.APIVersion, o.Kind) != nil && kjson.UnmarshalCaseSensitivePreserveInts(schema.JSON(o.Node()), typed) == nil {
		return admission.Object(typed)
	}
	typed, known := create(), true
	var out []admission.Flaw
	for _, p := range schema.Decode(schema.Document{Node: o.Node()}, typed) {
		switch p.Rule {
		case schema.RuleMissing: // of what its kind's schema does not ask for, since there is a default
		case schema.RuleUnknown:
			known = false
		default:
			out = append(out, admission.Flaw{Path: p.Path, Message: p.Message})
		}
	}
	if known && len(out) == 0 {
		return admission.Object(typed)
	}
	return out
}

// whole reports whether an object is one, and not a patch of one: those are rarely of a workload
// with its selector, and name containers without their images.
func whole(o *Object) bool {
	if o.namedPatch() {
		return false
	}
	switch o.Kind {
	case "Deployment", "StatefulSet", "DaemonSet":
		return o.at("spec", "selector").is()
	case "LeaderWorkerSet":
		return o.at("spec", "leaderWorkerTemplate", "workerTemplate", "spec", "containers", 0, "image").is()
	default:
		return o.at("spec").is() || o.at("data").is() || o.at("binaryData").is()
	}
}

// templatedBelow reports whether a value is filled in later, or a part of it.
func templatedBelow(f field) bool {
	if !f.is() {
		return false
	}
	return templated(f.node.Value) || slices.ContainsFunc(f.node.Content, func(n *yaml.Node) bool { return templatedBelow(field{node: resolved(n)}) })
}
