package epp

import (
	"slices"

	"github.com/inferstack/inferstack/generators/base"
)

// readMetrics adds the data source of the servers' metrics where they are not at the path or
// by the scheme that the EPP's own data source asks (llm-d guides/optimized-baseline,
// router/optimized-baseline-trtllm.values.yaml). A line that has a flag for the scheme is told
// there.
func readMetrics(s *base.Stack, config map[string]any) {
	parameters := map[string]any{}
	if engine, _ := s.EngineOf(s.Line); engine.MetricsPath != "" {
		parameters["path"] = engine.MetricsPath
	}
	if s.ServesTLS() && s.Line.EPP.Flags["serverMetricsScheme"] == "" {
		parameters["scheme"] = s.ServerScheme()
	}
	if len(parameters) == 0 {
		return
	}
	source := s.Line.EPP.Speaks().Loader.DefaultSource
	plugins, _ := config["plugins"].([]any)
	config["plugins"] = append(slices.Clone(plugins), map[string]any{"type": source, "parameters": parameters})
}
