package helm

import (
	"cmp"
	"slices"
	"strings"
)

// formerFilters are the filters of the EPPs of early 2025, which kept the best servers by one
// measure, with the scorer that ranks by the same one today (gateway-api-inference-extension
// pkg/epp/scheduling/framework/plugins/filter, v0.5.1).
var formerFilters = map[string]string{
	"low-queue-filter": "queue-scorer", "least-queue-filter": "queue-scorer",
	"least-kv-cache-filter": "kv-cache-utilization-scorer", "lora-affinity-filter": "lora-affinity-scorer",
}

// Plugins that belong to such filters: the tree that asks one after the other, and the picker that
// takes any of those that are left.
const (
	treeFilter   = "decision-tree-filter"
	randomPicker = "random-picker"
)

// filters puts scorers in the place of such filters, where the EPP of the stack's release line has
// none of them any more.
func (c *configuration) filters() {
	plugins, _ := c.config["plugins"].([]any)
	types, scorers := map[string]string{}, []string{}
	var kept []any
	for _, e := range plugins {
		plugin, _ := e.(map[string]any)
		typ, _ := plugin["type"].(string)
		name, _ := plugin["name"].(string)
		types[cmp.Or(name, typ)] = typ
		scorer, former := formerFilters[typ]
		if c.has(typ) || !former && typ != treeFilter {
			kept = append(kept, e)
			continue
		}
		if former && !slices.Contains(scorers, scorer) {
			scorers = append(scorers, scorer)
		}
	}
	if len(kept) == len(plugins) {
		return
	}
	for _, scorer := range scorers {
		if !c.declares(scorer) {
			kept = append(kept, map[string]any{"type": scorer})
		}
	}
	c.config["plugins"] = slices.DeleteFunc(kept, func(e any) bool {
		plugin, _ := e.(map[string]any)
		return plugin["type"] == randomPicker
	})
	profiles, _ := c.config["schedulingProfiles"].([]any)
	for _, e := range profiles {
		if profile, ok := e.(map[string]any); ok {
			c.scored(profile, types, scorers)
		}
	}
	c.on().Warn("filters that kept the best servers one after the other, which no EPP of the release lines has, become scorers: %s; the server with the highest sum is picked", strings.Join(scorers, ", "))
}

// scored puts scorers in the place of the filters that a profile refers to. types are those of
// the plugins by their names.
func (c *configuration) scored(profile map[string]any, types map[string]string, scorers []string) {
	references, _ := profile["plugins"].([]any)
	var out []any
	add := func(scorer string) {
		if !slices.ContainsFunc(out, func(e any) bool { return e.(map[string]any)["pluginRef"] == scorer }) {
			out = append(out, map[string]any{"pluginRef": scorer, "weight": 1})
		}
	}
	for _, e := range references {
		reference, _ := e.(map[string]any)
		name, _ := reference["pluginRef"].(string)
		switch typ := types[name]; {
		case typ == treeFilter:
			for _, scorer := range scorers {
				add(scorer)
			}
		case formerFilters[typ] != "":
			add(formerFilters[typ])
		case typ == randomPicker:
		case reference != nil:
			out = append(out, reference)
		}
	}
	profile["plugins"] = out
}
