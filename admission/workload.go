package admission

import (
	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
	lwsv1 "sigs.k8s.io/lws/api/leaderworkerset/v1"
)

var serviceName = form{validation.IsDNS1035Label, "a DNS label that begins with a letter: lower case letters, digits and -, with a letter or digit at the end, at most 63 characters"}

// name judges that of an object and of its namespace. An object without a name is part of another,
// or gets one from its generateName.
func (j *judge) name(at *field.Path, o metav1.Object) {
	want := dnsSubdomain
	switch o.(type) {
	case *corev1.Service, *lwsv1.LeaderWorkerSet:
		want = serviceName
	}
	j.optional(at.Child("name"), o.GetName(), want)
	j.optional(at.Child("namespace"), o.GetNamespace(), dnsLabel)
}

func (j *judge) deployment(at *field.Path, s *appsv1.DeploymentSpec) {
	j.scale(at, s.Replicas, s.Selector)
	strategy := at.Child("strategy")
	oneOf(j, strategy.Child("type"), s.Strategy.Type, appsv1.RollingUpdateDeploymentStrategyType, appsv1.RecreateDeploymentStrategyType)
	if u := s.Strategy.RollingUpdate; u != nil {
		if s.Strategy.Type == appsv1.RecreateDeploymentStrategyType {
			j.bad(strategy.Child("rollingUpdate"), "must be left out with type Recreate")
		} else {
			j.rolling(strategy.Child("rollingUpdate"), u.MaxSurge, u.MaxUnavailable)
		}
	}
	least(j, at.Child("minReadySeconds"), s.MinReadySeconds, 0)
	if p := s.ProgressDeadlineSeconds; p != nil && *p <= s.MinReadySeconds {
		j.bad(at.Child("progressDeadlineSeconds"), "must be above minReadySeconds, %d (got %d)", s.MinReadySeconds, *p)
	}
	j.template(at.Child("template"), &s.Template)
}

// scale judges how many pods there are to be, and which.
func (j *judge) scale(at *field.Path, replicas *int32, selector *metav1.LabelSelector) {
	if replicas != nil {
		least(j, at.Child("replicas"), *replicas, 0)
	}
	if selector == nil {
		j.missing(at.Child("selector"))
	} else if len(selector.MatchLabels)+len(selector.MatchExpressions) == 0 {
		j.bad(at.Child("selector"), "must not be empty")
	}
}

// rolling refuses a rollout that lets no pod be replaced. A surge may be more than all pods.
func (j *judge) rolling(at *field.Path, surge, unavailable *intstr.IntOrString) {
	j.share100(at.Child("maxUnavailable"), unavailable)
	if surge != nil && surge.Type == intstr.Int {
		least(j, at.Child("maxSurge"), surge.IntVal, 0)
	} else if surge != nil && !percentage().MatchString(surge.StrVal) {
		j.bad(at.Child("maxSurge"), "must be a number or a percentage such as 50%% (got %q)", surge.StrVal)
	}
	if none(surge) && none(unavailable) {
		j.bad(at.Child("maxUnavailable"), "must not be 0 beside maxSurge: 0, which would let no pod be replaced")
	}
}

// none reports whether a number of pods or a share of them is 0; one that is not there has a
// default above.
func none(v *intstr.IntOrString) bool {
	return v != nil && (v.Type == intstr.Int && v.IntVal == 0 || v.Type == intstr.String && v.StrVal == "0%")
}

func (j *judge) statefulSet(at *field.Path, o *appsv1.StatefulSet) {
	j.scale(at, o.Spec.Replicas, o.Spec.Selector)
	oneOf(j, at.Child("podManagementPolicy"), o.Spec.PodManagementPolicy, appsv1.OrderedReadyPodManagement, appsv1.ParallelPodManagement)
	oneOf(j, at.Child("updateStrategy").Child("type"), o.Spec.UpdateStrategy.Type, appsv1.RollingUpdateStatefulSetStrategyType, appsv1.OnDeleteStatefulSetStrategyType)
	j.template(at.Child("template"), withClaims(o))
	for i := range o.Spec.VolumeClaimTemplates {
		j.claimSpec(at.Child("volumeClaimTemplates").Index(i).Child("spec"), &o.Spec.VolumeClaimTemplates[i].Spec)
	}
}

func (j *judge) budget(at *field.Path, s *policyv1.PodDisruptionBudgetSpec) {
	if s.MinAvailable != nil && s.MaxUnavailable != nil {
		j.bad(at.Child("minAvailable"), "must not stand beside maxUnavailable")
	}
	j.share100(at.Child("minAvailable"), s.MinAvailable)
	j.share100(at.Child("maxUnavailable"), s.MaxUnavailable)
}

func (j *judge) autoscaler(at *field.Path, s *autoscalingv2.HorizontalPodAutoscalerSpec) {
	least(j, at.Child("maxReplicas"), s.MaxReplicas, 1)
	if m := s.MinReplicas; m != nil {
		least(j, at.Child("minReplicas"), *m, 1)
		if *m > s.MaxReplicas {
			j.bad(at.Child("maxReplicas"), "must be at least minReplicas, %d (got %d)", *m, s.MaxReplicas)
		}
	}
	if s.ScaleTargetRef.Kind == "" {
		j.missing(at.Child("scaleTargetRef").Child("kind"))
	}
	if s.ScaleTargetRef.Name == "" {
		j.missing(at.Child("scaleTargetRef").Child("name"))
	}
	for i := range s.Metrics {
		j.metric(at.Child("metrics").Index(i), &s.Metrics[i])
	}
	if b := s.Behavior; b != nil {
		j.scalingRules(at.Child("behavior").Child("scaleUp"), b.ScaleUp)
		j.scalingRules(at.Child("behavior").Child("scaleDown"), b.ScaleDown)
	}
}
