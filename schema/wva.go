package schema

// Annotations by which the workload variant autoscaler finds the HorizontalPodAutoscalers and
// ScaledObjects that follow it (llm-d-workload-variant-autoscaler v0.9.0
// internal/annotations/annotations.go), and the label of them that names an accelerator
// (internal/accelerator/accelerator.go).
const (
	WVAManaged     = "llm-d.ai/managed"
	WVAModel       = "llm-d.ai/model-id"
	WVACost        = "llm-d.ai/variant-cost"
	WVAAccelerator = "inference.optimization/acceleratorName"
)

// WVAMetric is the metric by which the workload variant autoscaler says how many servers there are
// (internal/constants/metrics.go, v0.9.0), with its matchers.
//
// WVAVariant is the name of the autoscaler that follows it. Prometheus renames the label namespace
// of what it scrapes, which says where that one is, so that its own label can say where it found it
// (docs/user-guide/monitoring.md, v0.9.0).
const (
	WVAMetric    = "wva_desired_replicas"
	WVAVariant   = "variant_name"
	WVANamespace = "exported_namespace"
)
