package epp

import (
	"slices"
	"strings"
)

// adapterScorer prefers servers that have the adapter of a request loaded. KServe gives it
// the same weight (kserve v0.20.0 pkg/controller/v1alpha2/llmisvc/scheduler.go).
const (
	adapterScorer       = "lora-affinity-scorer"
	adapterScorerWeight = int64(4)
)

// scoreAdapters adds the scorer of adapters to each profile of a preset that scores at all.
func scoreAdapters(config map[string]any) {
	used := false
	profiles, _ := config["schedulingProfiles"].([]any)
	for _, p := range profiles {
		profile, _ := p.(map[string]any)
		refs, _ := profile["plugins"].([]any)
		if !slices.ContainsFunc(refs, weighted) {
			continue
		}
		used = true
		at := slices.IndexFunc(refs, picks)
		if at < 0 {
			at = len(refs)
		}
		ref := map[string]any{"pluginRef": adapterScorer, "weight": adapterScorerWeight}
		profile["plugins"] = slices.Insert(slices.Clone(refs), at, any(ref))
	}
	if plugins, _ := config["plugins"].([]any); used {
		config["plugins"] = append(slices.Clone(plugins), map[string]any{"type": adapterScorer})
	}
}

func weighted(ref any) bool {
	m, _ := ref.(map[string]any)
	return m["weight"] != nil
}

func picks(ref any) bool {
	m, _ := ref.(map[string]any)
	name, _ := m["pluginRef"].(string)
	return strings.HasSuffix(name, "-picker")
}
