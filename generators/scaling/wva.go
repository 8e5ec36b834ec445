package scaling

import (
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/inferstack/inferstack/generators/base"
	"github.com/inferstack/inferstack/schema"
)

// scalerMeta is the metadata of what scales the servers, with what the workload variant
// autoscaler reads of it. It groups the variants of a model by the name that their metrics have,
// which is the first one that they serve it by.
func scalerMeta(s base.Server) metav1.ObjectMeta {
	meta := s.OwnMeta(s.WorkloadName())
	wva := s.Own.Autoscaling.WVA
	if wva == nil {
		return meta
	}
	meta.Annotations = base.Joined(meta.Annotations, map[string]string{
		schema.WVAManaged: "true",
		schema.WVAModel:   s.Spec.Model.Served()[0],
		schema.WVACost:    wva.VariantCost,
	})
	if wva.AcceleratorName != "" {
		meta.Labels = base.Joined(meta.Labels, map[string]string{schema.WVAAccelerator: wva.AcceleratorName})
	}
	return meta
}

// desiredReplicas is the number of servers that the workload variant autoscaler publishes. It is
// an average over one: a value as such is multiplied by the number of servers that there are
// (kubernetes v1.36 pkg/controller/podautoscaler/replica_calculator.go, GetExternalMetricReplicas).
func desiredReplicas(s base.Server) autoscalingv2.MetricSpec {
	return autoscalingv2.MetricSpec{
		Type: autoscalingv2.ExternalMetricSourceType,
		External: &autoscalingv2.ExternalMetricSource{
			Metric: autoscalingv2.MetricIdentifier{
				Name:     schema.WVAMetric,
				Selector: &metav1.LabelSelector{MatchLabels: variantLabels(s)},
			},
			Target: autoscalingv2.MetricTarget{Type: autoscalingv2.AverageValueMetricType, AverageValue: quantity(1)},
		},
	}
}

// desiredReplicasTrigger is the same for KEDA.
func desiredReplicasTrigger(s base.Server) map[string]any {
	labels := variantLabels(s)
	matchers := schema.WVAVariant + `="` + labels[schema.WVAVariant] + `"`
	if namespace, known := labels[schema.WVANamespace]; known {
		matchers += `,` + schema.WVANamespace + `="` + namespace + `"`
	}
	return prometheusTrigger(s, "wva-desired-replicas", schema.WVAMetric+"{"+matchers+"}", 1)
}

// variantLabels find the number of these servers. Where the namespace is not known, a metrics
// adapter looks in the one of the HorizontalPodAutoscaler.
func variantLabels(s base.Server) map[string]string {
	labels := map[string]string{schema.WVAVariant: s.WorkloadName()}
	if namespace := s.Namespace(); namespace != "" {
		labels[schema.WVANamespace] = namespace
	}
	return labels
}
