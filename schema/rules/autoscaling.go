package rules

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/inferstack/inferstack/finding"
	"github.com/inferstack/inferstack/schema"
)

// autoscalingFits checks each role's autoscaling.
func autoscalingFits(s stack) (out []schema.Problem) {
	for _, r := range s.Workloads() {
		if r.Autoscaling != nil {
			out = append(out, s.scalingBounds(r)...)
			out = append(out, s.scalingMetrics(r)...)
			out = append(out, s.scalingTriggers(r)...)
			out = append(out, s.scaledObject(r)...)
			out = append(out, s.scaledContainers(r)...)
			out = append(out, s.scalingSources(r)...)
			out = append(out, s.scaledShares(r)...)
			out = append(out, s.scaledWindows(r)...)
			out = append(out, s.wvaFits(r)...)
			out = append(out, s.prometheusAsked(r)...)
		}
	}
	return out
}

func (s stack) scalingBounds(r schema.Workload) (out []schema.Problem) {
	a, at := r.Autoscaling, r.Path+".autoscaling"
	if a.Min > a.Max {
		out = append(out, s.Problem(schema.Error, at+".min", "must not be above max, %d (got %d)", a.Max, a.Min))
	}
	if a.Type == "hpa" && a.Min == 0 {
		out = append(out, s.Problem(schema.Error, at+".min", "must be at least 1 with type: hpa; type: keda can scale to 0"))
	}
	if s.Has(r.Path + ".replicas") {
		out = append(out, s.Problem(schema.Warning, r.Path+".replicas", "is not written when autoscaling is set; autoscaling.min and max bound the number"))
	}
	return out
}

// scalingMetrics checks that there is something to scale by, of the right kind.
func (s stack) scalingMetrics(r schema.Workload) (out []schema.Problem) {
	a, at := r.Autoscaling, r.Path+".autoscaling"
	epp := a.TargetRunningRequests != nil || a.TargetQueueSize != nil
	if !epp && a.TargetCPUUtilization == nil && a.WVA == nil && len(a.Metrics)+len(a.Triggers) == 0 {
		further := "metrics"
		if a.Type == "keda" {
			further = "triggers"
		}
		out = append(out, s.Problem(schema.Error, at, "has nothing to scale by; set targetRunningRequests, targetQueueSize, targetCPUUtilization, wva or %s", further))
	}
	for _, field := range []string{"pollingSeconds", "cooldownSeconds", "fallback", "modifiers", "prometheusAuth"} {
		if a.Type == "hpa" && s.Has(at+"."+field) {
			out = append(out, s.Problem(schema.Error, at+"."+field, "goes with type: keda"))
		}
	}
	if a.Type == "hpa" && len(a.Triggers) > 0 {
		out = append(out, s.Problem(schema.Error, at+".triggers", "go with type: keda; a HorizontalPodAutoscaler has metrics"))
	}
	if a.Type == "keda" && len(a.Metrics) > 0 {
		out = append(out, s.Problem(schema.Error, at+".metrics", "go with type: hpa; a ScaledObject has triggers"))
	}
	if a.Type == "keda" && epp && a.PrometheusAddress == "" {
		out = append(out, s.Problem(schema.Error, at+".prometheusAddress", "is required for the EPP's metrics with type: keda"))
	}
	if a.Type == "keda" && a.Min == 0 && epp && !wakes(a) && !s.waitsForServers() {
		out = append(out, s.Problem(schema.Error, at+".min", "0 would stay 0: without servers the EPP refuses requests at once, and its metrics never rise; "+
			"use min: 1, a trigger of your own other than cpu and memory, which modifiers name, or a scheduler.config with flowControl.noEndpointRequestTTL"))
	}
	return out
}

// prometheusAsked checks how KEDA reaches Prometheus for the generated triggers.
func (s stack) prometheusAsked(r schema.Workload) []schema.Problem {
	a, at := r.Autoscaling, r.Path+".autoscaling.prometheusAuth"
	if a.PrometheusAuth == nil || a.Type != "keda" {
		return nil
	}
	auth, generated := a.PrometheusAuth, a.TargetRunningRequests != nil || a.TargetQueueSize != nil || a.WVA != nil
	switch {
	case !generated:
		return []schema.Problem{s.Problem(schema.Warning, at, "has no effect without targetRunningRequests, targetQueueSize or wva; triggers of your own say it themselves")}
	case len(auth.AuthModes) > 0 && auth.AuthenticationRef == nil:
		return []schema.Problem{s.Problem(schema.Error, at+".authModes", "needs authenticationRef, the object with the credentials")}
	case auth.UnsafeSSL && strings.HasPrefix(a.PrometheusAddress, "http:"):
		return []schema.Problem{s.Problem(schema.Warning, at+".unsafeSsl", "has no effect with an address that begins with http:")}
	}
	return nil
}

// scaledContainers refuses a metric of a container that the role's pods do not have: the
// HorizontalPodAutoscaler would never scale.
func (s stack) scaledContainers(r schema.Workload) (out []schema.Problem) {
	names := []string{serverContainer}
	if s.HasSidecar(r.RoleName) {
		names = append(names, sidecarContainer)
	}
	for _, c := range slices.Concat(s.Spec.Server.Containers, r.Containers, s.Spec.Server.InitContainers, r.InitContainers) {
		names = append(names, c.Name)
	}
	for i, m := range r.Autoscaling.Metrics {
		if c := m.ContainerResource; c != nil && !slices.Contains(names, c.Container) && r.PodTemplatePatch == nil && s.Spec.Server.PodTemplatePatch == nil {
			out = append(out, s.Problem(schema.Error, finding.Indexed(r.Path+".autoscaling.metrics", i)+".containerResource.container", "must be a container of the pods: %s (got %q)", strings.Join(names, ", "), c.Container))
		}
	}
	return out
}

// scalingSources checks that what is measured exists.
func (s stack) scalingSources(r schema.Workload) (out []schema.Problem) {
	a, at, line := r.Autoscaling, r.Path+".autoscaling", s.line()
	for _, m := range []struct {
		field, metric string
		set           bool
	}{
		{"targetRunningRequests", "runningRequests", a.TargetRunningRequests != nil},
		{"targetQueueSize", "queueSize", a.TargetQueueSize != nil},
	} {
		switch {
		case !m.set || line == nil:
		case m.metric == "runningRequests" && r.RoleName != schema.RoleDecode:
			out = append(out, s.Problem(schema.Error, at+"."+m.field, "counts the requests of the whole stack, most of which are in decode; scale %s by targetCPUUtilization or by %s on the %[1]s pods' own metrics",
				r.RoleName, map[string]string{"hpa": "metrics", "keda": "triggers"}[a.Type]))
		case !s.Spec.Scheduler.Enabled:
			out = append(out, s.Problem(schema.Error, at+"."+m.field, "is measured by the EPP, and %s is false", schema.Path("spec.scheduler.enabled")))
		case line.EPP.Metrics[m.metric] == "":
			out = append(out, s.Problem(schema.Error, at+"."+m.field, "the EPP of release %s has no such metric", s.Spec.Release))
		case s.Spec.Monitoring == nil || !s.Spec.Monitoring.ServiceMonitor:
			out = append(out, s.Problem(schema.Error, at+"."+m.field, "is found by the label that the EPP's ServiceMonitor writes; add %s, or write %s of your own", schema.Path("spec.monitoring"), map[string]string{"hpa": "metrics", "keda": "triggers"}[a.Type]))
		}
	}
	if a.TargetQueueSize != nil && s.Spec.Scheduler.Config != nil && !hasGate(s.Spec.Scheduler.Config, "flowControl") {
		out = append(out, s.Problem(schema.Error, "spec.scheduler.config", "needs featureGates: [flowControl], since %s measures the queue of flow control", schema.Path(at+".targetQueueSize")))
	}
	return out
}

// waitsForServers reports whether the EPP holds requests back until there is a server
// (llm-d-router v0.10 apix/config/v1alpha1, FlowControlConfig).
func (s stack) waitsForServers() bool {
	control, _ := s.Spec.Scheduler.Config["flowControl"].(map[string]any)
	return control["noEndpointRequestTTL"] != nil && hasGate(s.Spec.Scheduler.Config, "flowControl")
}

// hasGate looks for a feature gate in an EndpointPickerConfig.
func hasGate(config map[string]any, gate string) bool {
	gates, _ := config["featureGates"].([]any)
	return slices.Contains(gates, any(gate))
}

// disruptionBudgets checks that a budget says one thing.
func disruptionBudgets(s stack) (out []schema.Problem) {
	for _, r := range s.Workloads() {
		b, at := r.DisruptionBudget, r.Path+".disruptionBudget"
		switch {
		case b == nil:
		case b.MinAvailable == nil && b.MaxUnavailable == nil:
			out = append(out, s.Problem(schema.Error, at, "must have minAvailable or maxUnavailable"))
		case b.MinAvailable != nil && b.MaxUnavailable != nil:
			out = append(out, s.Problem(schema.Error, at, "must have minAvailable or maxUnavailable, not both"))
		default:
			out = append(out, s.drainable(r)...)
		}
	}
	return out
}

// drainable warns of a budget under which no pod may ever be evicted.
func (s stack) drainable(r schema.Workload) []schema.Problem {
	b, pods, at := r.DisruptionBudget, int(r.Replicas*r.Parallelism.Nodes*s.slices()), r.Path+".disruptionBudget"
	const never = "lets no pod go, so that no node with one can be drained"
	if b.MaxUnavailable != nil {
		if down, err := intstr.GetScaledValueFromIntOrPercent(b.MaxUnavailable, 100, true); err == nil && down == 0 {
			return []schema.Problem{s.Problem(schema.Warning, at+".maxUnavailable", never)}
		}
		return nil
	}
	if r.Autoscaling != nil || pods == 0 {
		return nil
	}
	if stay, err := intstr.GetScaledValueFromIntOrPercent(b.MinAvailable, pods, true); err == nil && stay >= pods {
		return []schema.Problem{s.Problem(schema.Warning, at+".minAvailable", never+" (the %s servers have %d pods)", r.Path[len("spec."):], pods)}
	}
	return nil
}

// scaledWindows reports a window that another one stands in front of.
func (s stack) scaledWindows(r schema.Workload) []schema.Problem {
	at, rules := r.Path+".autoscaling.scaleDownStabilizationSeconds", r.Autoscaling.ScaleDown
	if rules == nil || rules.StabilizationWindowSeconds == nil || !s.Has(at) {
		return nil
	}
	return []schema.Problem{s.Problem(schema.Info, at, "has no effect beside scaleDown.stabilizationWindowSeconds")}
}
