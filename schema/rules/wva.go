package rules

import (
	"maps"
	"slices"

	"github.com/inferstack/inferstack/release"
	"github.com/inferstack/inferstack/schema"
)

// wvaFits checks what the workload variant autoscaler needs of the stack and leaves to nobody else.
func (s stack) wvaFits(r schema.Workload) []schema.Problem {
	a, at, line := r.Autoscaling, r.Path+".autoscaling", s.line()
	if a.WVA == nil {
		return nil
	}
	var out []schema.Problem
	if line != nil && line.WVA == "" {
		out = append(out, s.Problem(schema.Error, at+".wva", "needs a release line with a workload variant autoscaler that finds servers by annotations, not %s; use release %s",
			line.Name, linesThat(func(l *release.Line) bool { return l.WVA != "" })))
	}
	if s.Spec.Server.Engine == "trtllm" {
		out = append(out, s.Problem(schema.Error, at+".wva", "the workload variant autoscaler reads the metrics of vLLM and SGLang alone, and %s is trtllm; scale by targetRunningRequests", schema.Path(enginePath)))
	}
	for _, field := range []string{"targetRunningRequests", "targetQueueSize", "targetCPUUtilization", "metrics", "triggers", "modifiers"} {
		if s.Has(at + "." + field) {
			out = append(out, s.Problem(schema.Error, at+"."+field, "cannot be combined with %s: the number of servers would be the highest that any of them asks for", schema.Path(at+".wva")))
		}
	}
	if a.Type == "keda" && a.PrometheusAddress == "" {
		out = append(out, s.Problem(schema.Error, at+".prometheusAddress", "is required for %s with type: keda", schema.Path(at+".wva")))
	}
	if a.Type == "keda" && a.Min == 0 && !s.waitsForServers() {
		out = append(out, s.Problem(schema.Error, at+".min", "0 would stay 0: the workload variant autoscaler starts a first server when requests wait in the EPP, which refuses them at once; use min: 1, or a scheduler.config with flowControl.noEndpointRequestTTL"))
	}
	if m := s.Spec.Monitoring; m == nil || !m.PodMonitor {
		out = append(out, s.Problem(schema.Warning, at+".wva", "scales by the servers' metrics in Prometheus, and the stack has no PodMonitor that brings them there; add %s, unless something else scrapes the servers", schema.Path("spec.monitoring")))
	}
	return append(out, s.wvaSaysMore(r)...)
}

// wvaSaysMore reports a name of the accelerator that a node label stands in front of
// (llm-d-workload-variant-autoscaler v0.9.0 internal/accelerator/accelerator.go,
// GetAcceleratorNameFromScaleTarget).
func (s stack) wvaSaysMore(r schema.Workload) []schema.Problem {
	name := r.Autoscaling.WVA.AcceleratorName
	if name == "" {
		return nil
	}
	for _, selector := range []map[string]string{s.Spec.Server.NodeSelector, r.NodeSelector} {
		for _, key := range slices.Sorted(maps.Keys(selector)) {
			if productLabels[key] {
				return []schema.Problem{s.Problem(schema.Info, r.Path+".autoscaling.wva.acceleratorName", "has no effect: the node label %s says %s", key, selector[key])}
			}
		}
	}
	return nil
}

// productLabels are those of nodes that name their accelerator
// (llm-d-workload-variant-autoscaler v0.9.0 internal/constants/constants.go, VendorResources).
var productLabels = map[string]bool{
	"nvidia.com/gpu.product": true, "cloud.google.com/gke-accelerator": true, "amd.com/gpu.product-name": true,
	"habana.ai/product.name": true, "gpu.intel.com/product": true,
}
