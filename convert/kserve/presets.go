package kserve

import (
	_ "embed"
	"maps"
	"slices"
	"strings"
	"sync"

	"sigs.k8s.io/yaml"

	"github.com/inferstack/inferstack/internal/freeform"
	"github.com/inferstack/inferstack/internal/lists"
)

//go:embed presets.yaml
var presetData []byte

// presets are the specs of KServe's own LLMInferenceServiceConfigs, by their names without
// the prefix.
var presets = sync.OnceValue(func() map[string]any {
	var out map[string]any
	if err := yaml.Unmarshal(presetData, &out); err != nil {
		panic(err) // data of this program
	}
	return out
})

// presetPrefix is in front of the presets' names; a release of KServe may put its version
// into it.
const presetPrefix = "kserve-"

// wellKnown lists the presets that apply to a service of this shape, in the order in which
// they are merged (kserve config_merge.go, v0.20.0).
func wellKnown(spec *Spec) []string {
	var out []string
	if r := spec.Router; r != nil {
		if r.Scheduler != nil && (r.Scheduler.Pool == nil || r.Scheduler.Pool.Ref == nil) {
			out = append(out, "config-llm-scheduler")
		}
		if r.Scheduler != nil && r.Scheduler.Config != nil && hasPlugin(inlineConfig(r.Scheduler.Config.Inline), latencyProducer) {
			out = append(out, "config-llm-scheduler-latency-predictor")
		}
		if r.Route != nil && (r.Route.HTTP == nil || len(r.Route.HTTP.Refs) == 0) {
			out = append(out, "config-llm-router-route")
		}
	}
	if spec.Tracing != nil {
		out = append(out, "config-llm-tracing")
	}
	if spec.Prefill == nil {
		return append(out, "config-llm-"+workloadPreset("", &spec.WorkloadSpec))
	}
	return append(out, "config-llm-"+workloadPreset("prefill-", spec.Prefill), "config-llm-"+workloadPreset("decode-", &spec.WorkloadSpec))
}

// workloadPreset is the preset of one set of servers: over one node or several. KServe ships
// none for pipeline parallelism over several nodes.
func workloadPreset(role string, w *WorkloadSpec) string {
	switch {
	case w.Worker == nil:
		return role + "template"
	case w.Parallelism != nil && w.Parallelism.Pipeline != nil && w.Parallelism.Data == nil:
		return role + "worker-pipeline-parallel"
	}
	return role + "worker-data-parallel"
}

// presetNames are those of the presets, with the prefix.
func presetNames() []string {
	return lists.Map(slices.Sorted(maps.Keys(presets())), func(name string) string { return presetPrefix + name })
}

// presetOf is the preset that a name stands for, whatever version is in the prefix, or "".
func presetOf(name string) string {
	if i := strings.Index(name, "config-llm-"); i >= 0 {
		if _, ok := presets()[name[i:]]; ok {
			return name[i:]
		}
	}
	return ""
}

// preset is a copy of the spec of a preset that templates have not been run in, or nil.
func preset(name string) map[string]any {
	spec, ok := presets()[name].(map[string]any)
	if !ok {
		return nil
	}
	out, _ := freeform.Copy(spec).(map[string]any)
	return out
}
