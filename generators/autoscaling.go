package generators

import (
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// autoscaling scales the roles that ask for it.
func autoscaling(s *Stack) []Object {
	var objects []Object
	for _, server := range s.servers() {
		switch spec := server.own.Autoscaling; {
		case spec == nil:
		case spec.Type == "keda":
			objects = append(objects, scaledObject(server))
		default:
			objects = append(objects, podAutoscaler(server))
		}
	}
	return objects
}

// flowControl says whether something needs the EPP's flow control: without it the queue
// that autoscaling measures does not exist.
func (s *Stack) flowControl() bool {
	for _, server := range s.servers() {
		if spec := server.own.Autoscaling; spec != nil && spec.TargetQueueSize != nil {
			return true
		}
	}
	return false
}

func podAutoscaler(s server) *autoscalingv2.HorizontalPodAutoscaler {
	spec := s.own.Autoscaling
	version, kind := s.workloadKind()
	return &autoscalingv2.HorizontalPodAutoscaler{
		TypeMeta:   metav1.TypeMeta{APIVersion: "autoscaling/v2", Kind: "HorizontalPodAutoscaler"},
		ObjectMeta: s.meta(s.role, s.roleName()),
		Spec: autoscalingv2.HorizontalPodAutoscalerSpec{
			ScaleTargetRef: autoscalingv2.CrossVersionObjectReference{
				Kind:       kind,
				Name:       s.roleName(),
				APIVersion: version,
			},
			MinReplicas: new(spec.Min),
			MaxReplicas: spec.Max,
			Metrics:     append(s.scalingMetrics(), clones(spec.Metrics)...),
			Behavior:    scalingBehavior(spec.ScaleDownStabilizationSeconds),
		},
	}
}

// workloadKind returns apiVersion and kind of the role's workload.
func (s server) workloadKind() (version, kind string) {
	if s.grouped() {
		return "leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet"
	}
	return "apps/v1", "Deployment"
}

func scalingBehavior(seconds int32) *autoscalingv2.HorizontalPodAutoscalerBehavior {
	return &autoscalingv2.HorizontalPodAutoscalerBehavior{
		ScaleDown: &autoscalingv2.HPAScalingRules{StabilizationWindowSeconds: new(seconds)},
	}
}

func (s server) scalingMetrics() []autoscalingv2.MetricSpec {
	var metrics []autoscalingv2.MetricSpec
	spec := s.own.Autoscaling
	if n := spec.TargetRunningRequests; n != nil {
		metrics = append(metrics, s.eppMetric("runningRequests", autoscalingv2.MetricTarget{
			Type: autoscalingv2.AverageValueMetricType, AverageValue: quantity(*n),
		}))
	}
	if n := spec.TargetQueueSize; n != nil {
		metrics = append(metrics, s.eppMetric("queueSize", autoscalingv2.MetricTarget{
			Type: autoscalingv2.ValueMetricType, Value: quantity(*n),
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
func (s *Stack) eppMetric(what string, target autoscalingv2.MetricTarget) autoscalingv2.MetricSpec {
	return autoscalingv2.MetricSpec{
		Type: autoscalingv2.ExternalMetricSourceType,
		External: &autoscalingv2.ExternalMetricSource{
			Metric: autoscalingv2.MetricIdentifier{
				Name:     s.Line.EPP.Metrics[what],
				Selector: &metav1.LabelSelector{MatchLabels: map[string]string{seriesStack: s.Metadata.Name}},
			},
			Target: target,
		},
	}
}

func quantity(n int32) *resource.Quantity { return resource.NewQuantity(int64(n), resource.DecimalSI) }
