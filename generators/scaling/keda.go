package scaling

import (
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/inferstack/inferstack/generators/args"
	"github.com/inferstack/inferstack/generators/base"
	"github.com/inferstack/inferstack/generators/series"
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
	HPAConfig *HPAConfig `json:"horizontalPodAutoscalerConfig,omitempty"`
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
	if o.Spec.Advanced != nil {
		out.Spec.Advanced = &AdvancedScaling{HPAConfig: &HPAConfig{Behavior: o.Spec.Advanced.HPAConfig.Behavior.DeepCopy()}}
	}
	return &out
}

func scaledObject(s base.Server) *ScaledObject {
	spec := s.Own.Autoscaling
	version, kind := workloadKind(s)
	return &ScaledObject{
		TypeMeta:   metav1.TypeMeta{APIVersion: "keda.sh/v1alpha1", Kind: "ScaledObject"},
		ObjectMeta: s.Meta(s.Role, s.WorkloadName()),
		Spec: ScaledObjectSpec{
			ScaleTargetRef:  ScaleTarget{Name: s.WorkloadName(), APIVersion: version, Kind: kind},
			MinReplicaCount: spec.Min,
			MaxReplicaCount: spec.Max,
			Advanced:        &AdvancedScaling{HPAConfig: &HPAConfig{Behavior: scalingBehavior(spec.ScaleDownStabilizationSeconds)}},
			Triggers:        triggers(s),
		},
	}
}

// triggers are Prometheus queries on the EPP's metrics, then the user's.
func triggers(s base.Server) []map[string]any {
	var triggers []map[string]any
	spec := s.Own.Autoscaling
	if n := spec.TargetRunningRequests; n != nil {
		triggers = append(triggers, prometheusTrigger(s.Stack, spec.PrometheusAddress, "runningRequests", *n))
	}
	if n := spec.TargetQueueSize; n != nil {
		triggers = append(triggers, prometheusTrigger(s.Stack, spec.PrometheusAddress, "queueSize", *n))
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

// prometheusTrigger measures one of the EPP's metrics: the running requests for each
// server, the queue as a whole. Of two stacks with one name in two namespaces KEDA gets
// two numbers, and says so, rather than scale by their sum.
func prometheusTrigger(s *base.Stack, address, what string, threshold int32) map[string]any {
	kinds := map[string]string{"runningRequests": "AverageValue", "queueSize": "Value"}
	return map[string]any{
		"type":       "prometheus",
		"metricType": kinds[what],
		"metadata": map[string]any{
			"serverAddress": address,
			"query":         "sum by (namespace) (" + series.Of(s, s.Line.EPP.Metrics[what]) + ")",
			"threshold":     args.Text(threshold),
		},
	}
}
