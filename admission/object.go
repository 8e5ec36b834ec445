package admission

import (
	"slices"
	"strconv"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	resourcev1 "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation/field"
	gwapiv1 "sigs.k8s.io/gateway-api/apis/v1"
	lwsv1 "sigs.k8s.io/lws/api/leaderworkerset/v1"

	"github.com/inferstack/inferstack/internal/apis"
	"github.com/inferstack/inferstack/internal/pattern"
)

// maxAnnotations is what all annotations of an object may have together, and maxData what
// a ConfigMap or Secret may hold, in bytes.
const (
	maxAnnotations = 256 << 10
	maxData        = 1 << 20
)

// Object judges a whole object. Kinds without rules of their own are judged by their
// labels and annotations.
func Object(o metav1.Object) []Flaw {
	j := &judge{}
	meta, spec := field.NewPath("metadata"), field.NewPath("spec")
	j.name(meta, o)
	j.labels(meta.Child("labels"), o.GetLabels())
	j.annotations(meta.Child("annotations"), o.GetAnnotations())
	switch o := o.(type) {
	case *appsv1.Deployment:
		j.deployment(spec, &o.Spec)
	case *appsv1.StatefulSet:
		j.statefulSet(spec, o)
	case *appsv1.DaemonSet:
		j.scale(spec, nil, o.Spec.Selector)
		j.template(spec.Child("template"), &o.Spec.Template)
	case *corev1.Service:
		j.service(spec, &o.Spec)
	case *batchv1.Job:
		j.jobTemplate(spec.Child("template"), &o.Spec.Template)
	case *lwsv1.LeaderWorkerSet:
		j.groups(spec, &o.Spec)
	case *apis.DisaggregatedSet:
		j.disaggregated(spec, o)
	case *corev1.PersistentVolumeClaim:
		j.claimSpec(spec, &o.Spec)
	case *corev1.ConfigMap:
		j.data(field.NewPath("data"), o.Data)
	case *policyv1.PodDisruptionBudget:
		j.budget(spec, &o.Spec)
	case *autoscalingv2.HorizontalPodAutoscaler:
		j.autoscaler(spec, &o.Spec)
	case *gwapiv1.HTTPRoute:
		j.route(spec, o)
	case *resourcev1.ResourceClaimTemplate:
		j.devices(spec.Child("spec").Child("devices"), &o.Spec.Spec.Devices)
	}
	return j.flaws
}

// withClaims is the template of a StatefulSet's pods, which mount its claims as volumes.
func withClaims(s *appsv1.StatefulSet) *corev1.PodTemplateSpec {
	t := s.Spec.Template
	t.Spec.Volumes = slices.Clone(t.Spec.Volumes)
	for _, c := range s.Spec.VolumeClaimTemplates {
		t.Spec.Volumes = append(t.Spec.Volumes, corev1.Volume{Name: c.Name, VolumeSource: corev1.VolumeSource{
			PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: c.Name},
		}})
	}
	return &t
}

func (j *judge) annotations(at *field.Path, annotations map[string]string) {
	size := 0
	for key, value := range annotations {
		size += len(key) + len(value)
		j.text(at.Key(key), key, labelKeyFolded)
	}
	if cost, ok := annotations[corev1.PodDeletionCost]; ok && !int32Text(cost) {
		j.bad(at.Key(corev1.PodDeletionCost), "must be a whole number of 32 bits, in quotes (got %q)", cost)
	}
	if size > maxAnnotations {
		j.bad(at, "must have at most %d bytes together (have %d)", maxAnnotations, size)
	}
}

// int32Text reports whether a text is a number as the API server wants it: without a plus sign
// and without zeros in front (kubernetes pkg/apis/core/helper, GetDeletionCostFromPodAnnotations).
func int32Text(s string) bool {
	n, err := strconv.ParseInt(s, 10, 32)
	return err == nil && strconv.FormatInt(n, 10) == s
}

func (j *judge) data(at *field.Path, data map[string]string) {
	size := 0
	for key, value := range data {
		size += len(value)
		j.text(at.Key(key), key, dataKey)
	}
	if size > maxData {
		j.bad(at, "must have at most %d bytes together (has %d)", maxData, size)
	}
}

var percentage = pattern.Lazy(`^[0-9]+%$`)

// share100 judges a number of pods, or a share of them.
func (j *judge) share100(at *field.Path, v *intstr.IntOrString) {
	switch {
	case v == nil:
	case v.Type == intstr.Int:
		least(j, at, v.IntVal, 0)
	case !percentage().MatchString(v.StrVal):
		j.bad(at, "must be a number or a percentage such as 50%% (got %q)", v.StrVal)
	default:
		if n, err := intstr.GetScaledValueFromIntOrPercent(v, 100, false); err != nil || n > 100 {
			j.bad(at, "must be at most 100%% (got %s)", v.StrVal)
		}
	}
}

// devices judges what a claim asks of Dynamic Resource Allocation (kubernetes
// pkg/apis/resource/validation).
func (j *judge) devices(at *field.Path, d *resourcev1.DeviceClaim) {
	j.atMost(at.Child("requests"), len(d.Requests), resourcev1.DeviceRequestsMaxSize)
	for i, r := range d.Requests {
		if r.Exactly == nil {
			continue
		}
		at := at.Child("requests").Index(i).Child("exactly").Child("selectors")
		j.atMost(at, len(r.Exactly.Selectors), resourcev1.DeviceSelectorsMaxSize)
		for k, s := range r.Exactly.Selectors {
			if s.CEL != nil {
				j.cel(at.Index(k).Child("cel").Child("expression"), s.CEL.Expression)
			}
		}
	}
}
