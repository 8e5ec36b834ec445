package serving

import "github.com/inferstack/inferstack/release"

// ProxyPerformance is the configProfile of that name of llm-d-scheduler-sim-operator:
// servers of any role, the least busy first; by backend, only those labelled for
// NVLink. The filter got a new name after release line 0.4, and the scorer's timeout
// has had no effect since (llm-d-router pkg/epp/framework/plugins, v0.10.0).
func ProxyPerformance(byBackend bool, line string) map[string]any {
	scorer := map[string]any{"type": "active-request-scorer"}
	filter := "label-selector-filter"
	if old, err := release.Load(line); err == nil && old.EPP.Plugin(filter) == nil {
		scorer["parameters"] = map[string]any{"requestTimeout": "2m"}
		filter = "by-label-selector"
	}
	plugins := []any{scorer, plugin("max-score-picker")}
	profile := []any{}
	if byBackend {
		plugins = append(plugins, map[string]any{
			"type": filter, "name": "by-kv-backend",
			"parameters": map[string]any{"matchLabels": map[string]any{"llm-d.ai/kv-backend": "nvlink"}},
		})
		profile = append(profile, reference("by-kv-backend"))
	}
	profile = append(profile, reference("max-score-picker"), map[string]any{"pluginRef": "active-request-scorer", "weight": 1})
	return map[string]any{
		"plugins":            append(plugins, plugin("single-profile-handler")),
		"schedulingProfiles": []any{map[string]any{"name": "default", "plugins": profile}},
	}
}

func plugin(typ string) map[string]any { return map[string]any{"type": typ} }

func reference(name string) map[string]any { return map[string]any{"pluginRef": name} }
