package generators

import "strings"

// seriesStack is the label that the monitors put on every series of the stack, and by
// which alerts, dashboard and autoscalers find them.
const seriesStack = "inferencestack"

// Labels that the PodMonitor copies from the pods. Prometheus writes _ for what its
// label names cannot hold.
const seriesRole = "llm_d_ai_role"

// metricOfServer returns the name of a model server's metric, or "" where the engine of
// this release line has none.
func (s *Stack) metricOfServer(what string) string {
	if name, ok := s.Line.Simulator.Metrics[what]; ok && s.simulated() {
		return name
	}
	return s.Line.VLLM.Metrics[what]
}

// metricOfEPP returns the name of an EPP's metric, or "" where there is no EPP or its
// release line has none.
func (s *Stack) metricOfEPP(what string) string {
	if !s.Spec.Scheduler.Enabled {
		return ""
	}
	return s.Line.EPP.Metrics[what]
}

// series selects the series of a metric that belong to this stack. Further matchers are
// PromQL, such as pod=~"$pod". Names of objects and namespaces do not appear: kustomize
// may change them, and does not look into queries.
func (s *Stack) series(metric string, matchers ...string) string {
	own := []string{seriesStack + `="` + s.Metadata.Name + `"`}
	return metric + "{" + strings.Join(append(own, matchers...), ",") + "}"
}

// quantile is a quantile of a histogram over five minutes, for each namespace that has a
// stack of this name.
func quantile(q, series string) string {
	name, matchers, _ := strings.Cut(series, "{")
	return "histogram_quantile(" + q + ", sum by (namespace, le) (rate(" + name + "_bucket{" + matchers + "[5m])))"
}

// perSecond is the rate of a counter over five minutes, for each namespace that has a
// stack of this name.
func perSecond(series string) string { return "sum by (namespace) (rate(" + series + "[5m]))" }
