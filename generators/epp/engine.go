package epp

import (
	"slices"

	"github.com/inferstack/inferstack/generators/base"
)

// readMetrics adds the data source of the servers' metrics where the engine has them at another
// path than the EPP's own data source asks (llm-d guides/optimized-baseline,
// router/optimized-baseline-trtllm.values.yaml).
func readMetrics(s *base.Stack, config map[string]any) {
	engine, _ := s.EngineOf(s.Line)
	if engine.MetricsPath == "" {
		return
	}
	source := s.Line.EPP.Speaks().Loader.DefaultSource
	plugins, _ := config["plugins"].([]any)
	config["plugins"] = append(slices.Clone(plugins), map[string]any{
		"type": source, "parameters": map[string]any{"path": engine.MetricsPath},
	})
}
