package release

import (
	"cmp"
	"maps"
	"slices"

	"github.com/inferstack/inferstack/internal/argv"
	"github.com/inferstack/inferstack/internal/lists"
)

// Engine describes an inference engine beside vLLM and the simulator; Flags as in EPP.
type Engine struct {
	// Title is what people call it.
	Title string `json:"title"`
	// Images by accelerator type; what is missing is not published.
	Images map[string]string `json:"images"`
	// Type is the value of the EPP's engine label.
	Type  string            `json:"type"`
	Flags map[string]string `json:"flags"`
	// Aliases are further spellings of flags that are generated.
	Aliases map[string]string `json:"aliases,omitempty"`
	// Env is for every server.
	Env []Flag `json:"env,omitempty"`
	// UnevenEnv is for servers whose prefill and decode differ in tensor parallelism.
	UnevenEnv []Flag `json:"unevenEnv,omitempty"`
	// MetricsPath is where the metrics are, if not where the EPP looks by itself.
	MetricsPath string `json:"metricsPath,omitempty"`
	// Metrics maps what is meant to the name of the metric.
	Metrics map[string]string `json:"metrics"`
}

// FlagOwner returns the engine that has a flag which the named one has not, or "". Names are
// compared with hyphens.
func (l *Line) FlagOwner(engine, flag string) string {
	all := map[string]map[string]string{"vllm": l.VLLM.Flags}
	for name, e := range l.Engines {
		all[name] = e.Flags
	}
	if hasFlag(all[engine], flag) {
		return ""
	}
	return lists.First(slices.Sorted(maps.Keys(all)), func(name string) bool { return name != engine && hasFlag(all[name], flag) })
}

func hasFlag(flags map[string]string, flag string) bool {
	for _, name := range flags {
		if argv.Hyphened(name) == flag {
			return true
		}
	}
	return false
}

// EngineTitle is what people call an engine of the schema.
func (l *Line) EngineTitle(name string) string {
	if name == "vllm" {
		return "vLLM"
	}
	return cmp.Or(l.Engines[name].Title, "the "+name)
}
