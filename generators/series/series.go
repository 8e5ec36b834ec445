// Package series names the metrics of a stack and selects their series, for alerts,
// dashboards and autoscalers.
package series

import (
	"strings"

	"github.com/inferstack/inferstack/generators/base"
)

// StackLabel is the label that the monitors put on every series of the stack, and by
// which alerts, dashboard and autoscalers find them.
const StackLabel = "inferencestack"

// RoleLabel is a label that the PodMonitor copies from the pods. Prometheus writes _ for
// what its label names cannot hold.
const RoleLabel = "llm_d_ai_role"

// OfServer returns the name of a model server's metric, or "" where the engine of
// this release line has none.
func OfServer(s *base.Stack, what string) string {
	if name, ok := s.Line.Simulator.Metrics[what]; ok && s.Simulated() {
		return name
	}
	if engine, other := s.EngineOf(s.Line); other {
		return engine.Metrics[what]
	}
	return s.Line.VLLM.Metrics[what]
}

// OfEPP returns the name of an EPP's metric, or "" where there is no EPP or its
// release line has none.
func OfEPP(s *base.Stack, what string) string {
	if !s.Spec.Scheduler.Enabled {
		return ""
	}
	return s.Line.EPP.Metrics[what]
}

// Of selects the series of a metric that belong to this stack. Further matchers are
// PromQL, such as pod=~"$pod". Names of objects do not appear: kustomize may change them,
// and does not look into queries.
func Of(s *base.Stack, metric string, matchers ...string) string {
	own := []string{StackLabel + `="` + s.Metadata.Name + `"`}
	return metric + "{" + strings.Join(append(own, matchers...), ",") + "}"
}

// Here is Of in the namespace of the stack, where that is known: another stack of the same
// name, as staging beside production, is counted for itself. Rewire follows a namespace
// that kustomize changes.
func Here(s *base.Stack, metric string, matchers ...string) string {
	namespace := s.Namespace()
	if metric == "up" || ofPicker(s, metric) {
		namespace = s.EPPNamespace()
	}
	if namespace != "" {
		matchers = append([]string{`namespace="` + namespace + `"`}, matchers...)
	}
	return Of(s, metric, matchers...)
}

// ofPicker reports whether the EPP has the metric, and no server.
func ofPicker(s *base.Stack, metric string) bool {
	for _, name := range s.Line.EPP.Metrics {
		if name == metric {
			return true
		}
	}
	return false
}

// Quantile is a quantile of a histogram over five minutes, for each namespace that has a
// stack of this name.
func Quantile(q, series string) string {
	name, matchers, _ := strings.Cut(series, "{")
	return "histogram_quantile(" + q + ", sum by (namespace, le) (rate(" + name + "_bucket{" + matchers + "[5m])))"
}

// PerSecond is the rate of a counter over five minutes, for each namespace that has a
// stack of this name.
func PerSecond(series string) string { return "sum by (namespace) (rate(" + series + "[5m]))" }
