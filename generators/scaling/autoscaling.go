// Package scaling makes the autoscalers and the disruption budgets of the model servers.
package scaling

import (
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/inferstack/inferstack/generators/base"
	"github.com/inferstack/inferstack/generators/series"
	"github.com/inferstack/inferstack/schema"
)

// Autoscalers scales the roles that ask for it.
func Autoscalers(s *base.Stack) (objects []base.Object) {
	for _, server := range s.Servers() {
		switch spec := server.Own.Autoscaling; {
		case spec == nil:
		case spec.Type == "keda":
			objects = append(objects, scaledObject(server))
		default:
			objects = append(objects, podAutoscaler(server))
		}
	}
	return objects
}

func podAutoscaler(s base.Server) *autoscalingv2.HorizontalPodAutoscaler {
	spec := s.Own.Autoscaling
	version, kind := workloadKind(s)
	return &autoscalingv2.HorizontalPodAutoscaler{
		TypeMeta:   metav1.TypeMeta{APIVersion: "autoscaling/v2", Kind: "HorizontalPodAutoscaler"},
		ObjectMeta: scalerMeta(s),
		Spec: autoscalingv2.HorizontalPodAutoscalerSpec{
			ScaleTargetRef: autoscalingv2.CrossVersionObjectReference{
				Kind:       kind,
				Name:       s.WorkloadName(),
				APIVersion: version,
			},
			MinReplicas: new(spec.Min),
			MaxReplicas: spec.Max,
			Metrics:     append(scalingMetrics(s), base.Clones(spec.Metrics)...),
			Behavior:    scalingBehavior(spec),
		},
	}
}

// workloadKind returns apiVersion and kind of the role's workload.
func workloadKind(s base.Server) (version, kind string) {
	if s.Grouped() {
		return "leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet"
	}
	return "apps/v1", "Deployment"
}

func scalingBehavior(spec *schema.Autoscaling) *autoscalingv2.HorizontalPodAutoscalerBehavior {
	behavior := &autoscalingv2.HorizontalPodAutoscalerBehavior{ScaleDown: &autoscalingv2.HPAScalingRules{}}
	if spec.ScaleDown != nil {
		behavior.ScaleDown = spec.ScaleDown.DeepCopy()
	}
	if behavior.ScaleDown.StabilizationWindowSeconds == nil {
		behavior.ScaleDown.StabilizationWindowSeconds = new(spec.ScaleDownStabilizationSeconds)
	}
	if spec.ScaleUp != nil {
		behavior.ScaleUp = spec.ScaleUp.DeepCopy()
	}
	return behavior
}

func scalingMetrics(s base.Server) (metrics []autoscalingv2.MetricSpec) {
	spec := s.Own.Autoscaling
	if spec.WVA != nil {
		return append(metrics, desiredReplicas(s))
	}
	if n := spec.TargetRunningRequests; n != nil {
		metrics = append(metrics, eppMetric(s.Stack, "runningRequests", autoscalingv2.MetricTarget{
			Type: autoscalingv2.AverageValueMetricType, AverageValue: quantity(*n),
		}))
	}
	if n := spec.TargetQueueSize; n != nil {
		metrics = append(metrics, eppMetric(s.Stack, "queueSize", autoscalingv2.MetricTarget{
			Type: autoscalingv2.AverageValueMetricType, AverageValue: quantity(*n),
		}))
	}
	if n := spec.TargetCPUUtilization; n != nil {
		metrics = append(metrics, autoscalingv2.MetricSpec{
			Type: autoscalingv2.ResourceMetricSourceType,
			Resource: &autoscalingv2.ResourceMetricSource{
				Name:   corev1.ResourceCPU,
				Target: autoscalingv2.MetricTarget{Type: autoscalingv2.UtilizationMetricType, AverageUtilization: new(*n)},
			},
		})
	}
	return metrics
}

// eppMetric is a metric of the EPP, which a metrics adapter must serve under its own
// name, by the label that the ServiceMonitor puts on the stack's series: the EPP's own
// labels differ from metric to metric.
func eppMetric(s *base.Stack, what string, target autoscalingv2.MetricTarget) autoscalingv2.MetricSpec {
	return autoscalingv2.MetricSpec{
		Type: autoscalingv2.ExternalMetricSourceType,
		External: &autoscalingv2.ExternalMetricSource{
			Metric: autoscalingv2.MetricIdentifier{
				Name:     s.Line.EPP.Metrics[what],
				Selector: &metav1.LabelSelector{MatchLabels: map[string]string{series.StackLabel: s.Metadata.Name}},
			},
			Target: target,
		},
	}
}

func quantity(n int32) *resource.Quantity { return resource.NewQuantity(int64(n), resource.DecimalSI) }
