// Package oracle judges objects by upstream's own validation, that of Kubernetes 1.36 with
// its default features, in process and thousands a second: kinds of Kubernetes itself as
// the registries of kube-apiserver do on create, their pods as well, and kinds of CRDs by
// schema and CEL rules. It is a module of its own because k8s.io/kubernetes fixes the
// versions of all that it shares with others.
package oracle

import (
	"encoding/json"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	podutil "k8s.io/kubernetes/pkg/api/pod"
	"k8s.io/kubernetes/pkg/apis/apps"
	_ "k8s.io/kubernetes/pkg/apis/apps/install"
	appsvalidation "k8s.io/kubernetes/pkg/apis/apps/validation"
	"k8s.io/kubernetes/pkg/apis/autoscaling"
	_ "k8s.io/kubernetes/pkg/apis/autoscaling/install"
	autoscalingvalidation "k8s.io/kubernetes/pkg/apis/autoscaling/validation"
	"k8s.io/kubernetes/pkg/apis/core"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	"k8s.io/kubernetes/pkg/apis/core/validation"
	"k8s.io/kubernetes/pkg/apis/networking"
	_ "k8s.io/kubernetes/pkg/apis/networking/install"
	networkingvalidation "k8s.io/kubernetes/pkg/apis/networking/validation"
	"k8s.io/kubernetes/pkg/apis/policy"
	_ "k8s.io/kubernetes/pkg/apis/policy/install"
	policyvalidation "k8s.io/kubernetes/pkg/apis/policy/validation"
	"k8s.io/kubernetes/pkg/apis/rbac"
	_ "k8s.io/kubernetes/pkg/apis/rbac/install"
	rbacvalidation "k8s.io/kubernetes/pkg/apis/rbac/validation"
	"k8s.io/kubernetes/pkg/apis/resource"
	_ "k8s.io/kubernetes/pkg/apis/resource/install"
	resourcevalidation "k8s.io/kubernetes/pkg/apis/resource/validation"
	"k8s.io/kubernetes/pkg/capabilities"
	lwsv1 "sigs.k8s.io/lws/api/leaderworkerset/v1"

	"github.com/inferstack/inferstack/internal/apis"
	"github.com/inferstack/inferstack/internal/conform"
)

func init() {
	capabilities.ResetForTest()
	capabilities.Initialize(capabilities.Capabilities{AllowPrivileged: true})
}

// Judge returns everything that upstream refuses in an object.
func Judge(object any) []error {
	data, err := asWritten(object)
	if err != nil {
		return []error{err}
	}
	var errs []error
	if err := conform.Check(json.RawMessage(data)); err != nil {
		errs = append(errs, err)
	}
	if set, ok := object.(*lwsv1.LeaderWorkerSet); ok {
		return append(errs, group(set.Name, &set.Spec)...)
	}
	if set, ok := object.(*apis.DisaggregatedSet); ok {
		for i := range set.Spec.Roles {
			errs = append(errs, group(set.Name, &set.Spec.Roles[i].Spec)...)
		}
		return errs
	}
	versioned, _, err := legacyscheme.Codecs.UniversalDeserializer().Decode(data, nil, nil)
	if runtime.IsNotRegisteredError(err) {
		return errs // of a CRD
	}
	if err != nil {
		return append(errs, err)
	}
	return append(errs, builtIn(versioned)...)
}

// asWritten is the object without what only a live one has.
func asWritten(object any) ([]byte, error) {
	data, err := json.Marshal(object)
	if err != nil {
		return nil, err
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(data, &fields); err != nil {
		return nil, err
	}
	delete(fields, "status")
	return json.Marshal(fields)
}

// builtIn fills in defaults, as the API server does, and validates.
func builtIn(versioned runtime.Object) []error {
	var out []error
	switch o := versioned.(type) {
	case *appsv1.Deployment:
		out = pods(&o.Spec.Template)
	case *appsv1.StatefulSet:
		out = pods(withClaims(o))
	}
	legacyscheme.Scheme.Default(versioned)
	internal, err := legacyscheme.Scheme.ConvertToVersion(versioned, runtime.InternalGroupVersioner)
	if err != nil {
		return append(out, err)
	}
	for _, err := range validate(internal) {
		out = append(out, err)
	}
	return out
}

func validate(o runtime.Object) field.ErrorList {
	switch o := o.(type) {
	case *apps.Deployment:
		podutil.DropDisabledTemplateFields(&o.Spec.Template, nil)
		return appsvalidation.ValidateDeployment(o, podutil.GetValidationOptionsFromPodTemplate(&o.Spec.Template, nil))
	case *apps.StatefulSet:
		podutil.DropDisabledTemplateFields(&o.Spec.Template, nil)
		return appsvalidation.ValidateStatefulSet(o, podutil.GetValidationOptionsFromPodTemplate(&o.Spec.Template, nil))
	case *autoscaling.HorizontalPodAutoscaler:
		return autoscalingvalidation.ValidateHorizontalPodAutoscaler(o, autoscalingvalidation.HorizontalPodAutoscalerSpecValidationOptions{
			MinReplicasLowerBound:          1,
			ObjectMetricsValidationOptions: autoscalingvalidation.CrossVersionObjectReferenceValidationOptions{AllowEmptyAPIGroup: true},
		})
	case *policy.PodDisruptionBudget:
		return policyvalidation.ValidatePodDisruptionBudget(o, policyvalidation.PodDisruptionBudgetValidationOptions{})
	case *core.Service:
		if len(o.Spec.ClusterIPs) == 0 && o.Spec.ClusterIP == core.ClusterIPNone {
			o.Spec.ClusterIPs = []string{core.ClusterIPNone} // as the API server's storage fills it in
		}
		return validation.ValidateServiceCreate(o)
	case *core.ServiceAccount:
		return validation.ValidateServiceAccount(o)
	case *core.ConfigMap:
		return validation.ValidateConfigMap(o)
	case *core.Secret:
		return validation.ValidateSecret(o)
	case *core.PersistentVolumeClaim:
		return validation.ValidatePersistentVolumeClaim(o, validation.ValidationOptionsForPersistentVolumeClaimCreate())
	case *networking.NetworkPolicy:
		return networkingvalidation.ValidateNetworkPolicy(o, networkingvalidation.ValidationOptionsForNetworking(o, nil))
	case *rbac.Role:
		return rbacvalidation.ValidateRole(o)
	case *rbac.RoleBinding:
		return rbacvalidation.ValidateRoleBinding(o)
	case *rbac.ClusterRole:
		return rbacvalidation.ValidateClusterRole(o, rbacvalidation.ClusterRoleValidationOptions{})
	case *rbac.ClusterRoleBinding:
		return rbacvalidation.ValidateClusterRoleBinding(o)
	case *resource.ResourceClaimTemplate:
		return resourcevalidation.ValidateResourceClaimTemplate(o)
	}
	return field.ErrorList{field.InternalError(nil, fmt.Errorf("no validation of %T is known here", o))}
}

// pods judges a pod of each template: some fields are only looked at then. What the
// admission plugins fill in that are on by default is filled in.
func pods(templates ...*corev1.PodTemplateSpec) []error {
	var out []error
	for _, t := range templates {
		t := t.DeepCopy()
		p := &corev1.Pod{ObjectMeta: t.ObjectMeta, Spec: t.Spec}
		p.APIVersion, p.Kind, p.Name, p.Namespace = "v1", "Pod", "oracle", "oracle"
		legacyscheme.Scheme.Default(p)
		if p.Spec.ServiceAccountName == "" {
			p.Spec.ServiceAccountName = "default"
		}
		var inner core.Pod
		if err := legacyscheme.Scheme.Convert(p, &inner, nil); err != nil {
			out = append(out, err)
			continue
		}
		podutil.DropDisabledPodFields(&inner, nil)
		opts := podutil.GetValidationOptionsFromPodSpecAndMeta(&inner.Spec, nil, &inner.ObjectMeta, nil)
		opts.ResourceIsPod = true
		for _, err := range validation.ValidatePodCreate(&inner, opts) {
			out = append(out, err)
		}
	}
	return out
}

// withClaims adds the volumes of a StatefulSet's own claims to its pods.
func withClaims(s *appsv1.StatefulSet) *corev1.PodTemplateSpec {
	t := s.Spec.Template.DeepCopy()
	for _, c := range s.Spec.VolumeClaimTemplates {
		t.Spec.Volumes = append(t.Spec.Volumes, corev1.Volume{Name: c.Name, VolumeSource: corev1.VolumeSource{
			PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: c.Name},
		}})
	}
	return t
}

// group judges the pods of a LeaderWorkerSet, which its CRD does not look into, and what
// the StatefulSets that its controller makes want of them.
func group(name string, set *lwsv1.LeaderWorkerSetSpec) []error {
	templates := []*corev1.PodTemplateSpec{&set.LeaderWorkerTemplate.WorkerTemplate}
	if t := set.LeaderWorkerTemplate.LeaderTemplate; t != nil {
		templates = append(templates, t)
	}
	out := pods(templates...)
	for _, t := range templates {
		if p := t.Spec.RestartPolicy; p != "" && p != corev1.RestartPolicyAlways || t.Spec.ActiveDeadlineSeconds != nil {
			out = append(out, fmt.Errorf("%s: not the pods of a StatefulSet", name))
		}
	}
	return out
}
