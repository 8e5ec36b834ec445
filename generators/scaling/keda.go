package scaling

import (
	"strings"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/inferstack/inferstack/generators/args"
	"github.com/inferstack/inferstack/generators/base"
	"github.com/inferstack/inferstack/generators/series"
	"github.com/inferstack/inferstack/schema"
)

// ScaledObject is the part of KEDA's keda.sh/v1alpha1 that is written here (keda v2.18
// apis/keda/v1alpha1/scaledobject_types.go). KEDA's own package brings its webhooks and
// with them controller-runtime into every program that names the type.
type ScaledObject struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`

	Spec ScaledObjectSpec `json:"spec"`
}

// ScaledObjectSpec says what is scaled, between which bounds and by what.
type ScaledObjectSpec struct {
	ScaleTargetRef  ScaleTarget      `json:"scaleTargetRef"`
	PollingInterval *int32           `json:"pollingInterval,omitempty"`
	CooldownPeriod  *int32           `json:"cooldownPeriod,omitempty"`
	Fallback        *ScalingFallback `json:"fallback,omitempty"`
	MinReplicaCount int32            `json:"minReplicaCount"`
	MaxReplicaCount int32            `json:"maxReplicaCount"`
	Advanced        *AdvancedScaling `json:"advanced,omitempty"`
	Triggers        []map[string]any `json:"triggers"`
}

// ScaleTarget is the workload that is scaled.
type ScaleTarget struct {
	Name       string `json:"name"`
	APIVersion string `json:"apiVersion,omitempty"`
	Kind       string `json:"kind,omitempty"`
}

// AdvancedScaling is handed on to the HorizontalPodAutoscaler that KEDA makes.
type AdvancedScaling struct {
	HPAConfig *HPAConfig        `json:"horizontalPodAutoscalerConfig,omitempty"`
	Modifiers *ScalingModifiers `json:"scalingModifiers,omitempty"`
}

// ScalingFallback is the number of replicas while the triggers cannot be read.
type ScalingFallback struct {
	FailureThreshold int32  `json:"failureThreshold"`
	Replicas         int32  `json:"replicas"`
	Behavior         string `json:"behavior,omitempty"`
}

// ScalingModifiers make one number of several triggers.
type ScalingModifiers struct {
	Formula          string `json:"formula"`
	Target           string `json:"target"`
	ActivationTarget string `json:"activationTarget,omitempty"`
	MetricType       string `json:"metricType,omitempty"`
}

// HPAConfig is the behaviour of that autoscaler.
type HPAConfig struct {
	Behavior *autoscalingv2.HorizontalPodAutoscalerBehavior `json:"behavior,omitempty"`
}

// DeepCopyObject makes ScaledObject a runtime.Object.
func (o *ScaledObject) DeepCopyObject() runtime.Object {
	out := *o
	out.ObjectMeta = *o.ObjectMeta.DeepCopy()
	out.Spec.Triggers = nil
	for _, t := range o.Spec.Triggers {
		out.Spec.Triggers = append(out.Spec.Triggers, runtime.DeepCopyJSON(t))
	}
	if a := o.Spec.Advanced; a != nil {
		out.Spec.Advanced = &AdvancedScaling{HPAConfig: &HPAConfig{Behavior: a.HPAConfig.Behavior.DeepCopy()}, Modifiers: base.Clone(a.Modifiers)}
	}
	out.Spec.PollingInterval, out.Spec.CooldownPeriod = base.Clone(o.Spec.PollingInterval), base.Clone(o.Spec.CooldownPeriod)
	out.Spec.Fallback = base.Clone(o.Spec.Fallback)
	return &out
}

func scaledObject(s base.Server) *ScaledObject {
	spec := s.Own.Autoscaling
	version, kind := workloadKind(s)
	return &ScaledObject{
		TypeMeta:   metav1.TypeMeta{APIVersion: "keda.sh/v1alpha1", Kind: "ScaledObject"},
		ObjectMeta: scalerMeta(s),
		Spec: ScaledObjectSpec{
			ScaleTargetRef:  ScaleTarget{Name: s.WorkloadName(), APIVersion: version, Kind: kind},
			MinReplicaCount: spec.Min,
			MaxReplicaCount: spec.Max,
			PollingInterval: base.Clone(spec.PollingSeconds),
			CooldownPeriod:  base.Clone(spec.CooldownSeconds),
			Fallback:        scalingFallback(spec.Fallback),
			Advanced: &AdvancedScaling{
				HPAConfig: &HPAConfig{Behavior: scalingBehavior(spec)},
				Modifiers: scalingModifiers(spec.Modifiers),
			},
			Triggers: triggers(s),
		},
	}
}

func scalingFallback(spec *schema.ScalingFallback) *ScalingFallback {
	if spec == nil {
		return nil
	}
	return &ScalingFallback{FailureThreshold: spec.FailureThreshold, Replicas: spec.Replicas, Behavior: spec.Behavior}
}

func scalingModifiers(spec *schema.ScalingModifiers) *ScalingModifiers {
	if spec == nil {
		return nil
	}
	return &ScalingModifiers{Formula: spec.Formula, Target: spec.Target, ActivationTarget: spec.ActivationTarget, MetricType: spec.MetricType}
}

// triggers are Prometheus queries, then the user's.
func triggers(s base.Server) (triggers []map[string]any) {
	spec := s.Own.Autoscaling
	if spec.WVA != nil {
		return append(triggers, desiredReplicasTrigger(s))
	}
	if n := spec.TargetRunningRequests; n != nil {
		triggers = append(triggers, eppTrigger(s, "runningRequests", *n))
	}
	if n := spec.TargetQueueSize; n != nil {
		triggers = append(triggers, eppTrigger(s, "queueSize", *n))
	}
	if n := spec.TargetCPUUtilization; n != nil {
		triggers = append(triggers, map[string]any{
			"type":       "cpu",
			"metricType": "Utilization",
			"metadata":   map[string]any{"value": args.Text(*n)},
		})
	}
	for _, t := range spec.Triggers {
		triggers = append(triggers, runtime.DeepCopyJSON(t))
	}
	return triggers
}

// eppTrigger measures one of the EPP's metrics for each server. Where the namespace
// is not known, KEDA gets two numbers of two stacks with one name, and says so, rather than
// scale by their sum.
func eppTrigger(s base.Server, what string, threshold int32) map[string]any {
	return prometheusTrigger(s, what, "sum by (namespace) ("+series.Here(s.Stack, s.Line.EPP.Metrics[what])+")", threshold)
}

// prometheusTrigger asks Prometheus. The name is for the formula of scaling modifiers.
func prometheusTrigger(s base.Server, name, query string, threshold int32) map[string]any {
	spec := s.Own.Autoscaling
	metadata := map[string]any{"serverAddress": spec.PrometheusAddress, "query": query, "threshold": args.Text(threshold)}
	trigger := map[string]any{"type": "prometheus", "name": name, "metricType": "AverageValue", "metadata": metadata}
	if auth := spec.PrometheusAuth; auth != nil {
		authenticate(auth, trigger, metadata)
	}
	return trigger
}

// authenticate adds what a Prometheus asks for (keda v2.18 pkg/scalers/prometheus_scaler.go,
// pkg/scalers/authentication).
func authenticate(auth *schema.PrometheusAuth, trigger, metadata map[string]any) {
	if ref := auth.AuthenticationRef; ref != nil {
		trigger["authenticationRef"] = map[string]any{"name": ref.Name, "kind": ref.Kind}
	}
	if len(auth.AuthModes) > 0 {
		metadata["authModes"] = strings.Join(auth.AuthModes, ",")
	}
	if auth.UnsafeSSL {
		metadata["unsafeSsl"] = "true"
	}
}
