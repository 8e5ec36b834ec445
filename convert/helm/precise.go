package helm

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/inferstack/inferstack/convert/draft"
)

// precise takes a prefix-cache-scorer that is to follow the servers' KV-cache events, as
// the EPPs of 2025 spelled it (llm-d-inference-scheduler 0.3, pkg/plugins/scorer: mode
// cache_tracking, with an indexerConfig), for the preset that does so. It reports whether
// there is one. What no preset has is said.
func (r *release) precise(p *draft.Part, from string, config map[string]any) bool {
	parameters, at := cacheTracking(config)
	if parameters == nil {
		return false
	}
	at = below(from, at)
	p.Set(schedulerSection+".preset", "precise-prefix", from)
	indexer, _ := parameters["indexerConfig"].(map[string]any)
	processor, _ := indexer["tokenProcessorConfig"].(map[string]any)
	var servers []string
	if size := processor["blockSize"]; size != nil {
		p.Set("spec.kvCache.blockSize", size, at)
		servers = append(servers, fmt.Sprintf("--block-size %v", size))
	}
	if seed := processor["hashSeed"]; seed != nil {
		p.Set("spec.kvCache.hashSeed", fmt.Sprint(seed), at)
		servers = append(servers, fmt.Sprintf("PYTHONHASHSEED=%v", seed))
	}
	servers = append(servers, "--kv-events-config")
	on := p.On(schedulerSection+".preset", at)
	on.Note("a prefix-cache-scorer that follows the servers' caches is the preset precise-prefix now, with its own weights, picker and other scorers; left out: %s", strings.Join(r.unpreset(config, indexer), ", "))
	if r.model == nil {
		on.Warn("the servers, which are made elsewhere, must run with %s, or no request finds its prefix", strings.Join(servers, ", "))
		return true
	}
	on.Note("the servers get %s with the preset; without these no event reached the EPP, and no request found its prefix", strings.Join(servers, ", "))
	return true
}

// cacheTracking are the parameters of such a scorer, and where it is.
func cacheTracking(config map[string]any) (parameters map[string]any, at string) {
	plugins, _ := config["plugins"].([]any)
	for i, e := range plugins {
		plugin, _ := e.(map[string]any)
		parameters, _ := plugin["parameters"].(map[string]any)
		if plugin["type"] == "prefix-cache-scorer" && (parameters["mode"] == "cache_tracking" || parameters["indexerConfig"] != nil) {
			return parameters, fmt.Sprintf("plugins[%d]", i)
		}
	}
	return nil, ""
}

// unpreset are the plugins with their weights, and the settings of the index, that the
// preset has otherwise or not at all.
func (r *release) unpreset(config, indexer map[string]any) []string {
	var out []string
	profiles, _ := config["schedulingProfiles"].([]any)
	for _, e := range profiles {
		profile, _ := e.(map[string]any)
		references, _ := profile["plugins"].([]any)
		for _, e := range references {
			if ref, ok := e.(map[string]any); ok {
				out = append(out, strings.TrimSuffix(fmt.Sprintf("%v %v", ref["pluginRef"], weightOf(ref)), " "))
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(indexer)) {
		if key != "tokenProcessorConfig" {
			out = append(out, key)
		}
	}
	return out
}

func weightOf(ref map[string]any) any {
	if w := ref["weight"]; w != nil {
		return w
	}
	return ""
}
