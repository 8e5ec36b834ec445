package kserve

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/inferstack/inferstack/convert/draft"
	"github.com/inferstack/inferstack/internal/freeform"
	"github.com/inferstack/inferstack/internal/lists"
)

// latencyProducer is the plugin that asks the training and prediction servers.
const latencyProducer = "predicted-latency-producer"

// inlineConfig is an EndpointPickerConfig as it stands in a service: a mapping, or its text.
func inlineConfig(v any) map[string]any {
	switch v := v.(type) {
	case map[string]any:
		return v
	case string:
		var out map[string]any
		if yaml.Unmarshal([]byte(v), &out) == nil {
			return out
		}
	}
	return nil
}

// plugins are those of a configuration.
func plugins(config map[string]any) (out []map[string]any) {
	for _, e := range list(config["plugins"]) {
		if p, ok := e.(map[string]any); ok {
			out = append(out, p)
		}
	}
	return out
}

func hasPlugin(config map[string]any, typ string) bool {
	return slices.ContainsFunc(plugins(config), func(p map[string]any) bool { return p["type"] == typ })
}

// configuration is the EPP's: of the service, of a ConfigMap, of its command line, or
// KServe's own.
func (s *service) configuration(sc *Scheduler, sets []*set) {
	const from = schedulerFrom + ".config"
	switch {
	case sc.Config != nil && sc.Config.Ref != nil:
		s.referred(sc.Config, sets)
	case sc.Config != nil && sc.Config.Inline != nil:
		at := s.at(from + ".inline")
		config := inlineConfig(sc.Config.Inline)
		if config == nil {
			s.On("", at).Fail("must be an EndpointPickerConfig")
			return
		}
		s.setConfig(config, at, sets)
	case !s.Has(schedulerTo + ".config"):
		s.ownConfig()
	}
}

// referred is a configuration in a ConfigMap: in the namespace of the service or, by the
// beginning of its name, in the controller's.
func (s *service) referred(c *SchedulerConfig, sets []*set) {
	const from = schedulerFrom + ".config.ref"
	key := c.Ref.Key
	if key == "" {
		key = "epp"
	}
	for _, doc := range s.in.configMaps {
		shared := strings.HasPrefix(doc.Name, "config-scheduler-") && doc.Namespace == systemNamespace
		if doc.Name != c.Ref.Name || doc.Namespace != "" && s.Doc.Namespace != "" && doc.Namespace != s.Doc.Namespace && !shared {
			continue
		}
		n := doc.At("data[" + key + "]")
		if n == nil {
			s.On("", s.at(from)).Fail("the ConfigMap %s has no key %q", c.Ref.Name, key)
			return
		}
		config := inlineConfig(n.Value)
		if config == nil {
			s.On("", s.at(from)).Fail("the key %q of the ConfigMap %s holds no EndpointPickerConfig", key, c.Ref.Name)
			return
		}
		s.setConfig(config, s.at(from), sets)
		s.Set(schedulerTo+".configMap.key", key, "")
		return
	}
	s.On("", s.at(from+".name")).Fail("no ConfigMap %q in the input; put it beside the service", c.Ref.Name)
}

// setConfig takes over a configuration.
func (s *service) setConfig(config map[string]any, from string, sets []*set) {
	config, _ = freeform.Copy(config).(map[string]any)
	delete(config, "apiVersion")
	delete(config, "kind")
	s.rewrite(config, from)
	s.precise(config, sets)
	if s.spec.Model.LoRA != nil && len(s.spec.Model.LoRA.Adapters) > 0 && !hasPlugin(config, loraScorer) {
		affine(config)
	}
	s.Set(schedulerTo+".config", config, from)
}

// loraScorer prefers servers that have an adapter already.
const (
	loraScorer = "lora-affinity-scorer"
	loraWeight = 4
)

// affine adds the scorer to every profile, as KServe does for a model with adapters.
func affine(config map[string]any) {
	config["plugins"] = append(list(config["plugins"]), map[string]any{"type": loraScorer})
	for _, e := range list(config["schedulingProfiles"]) {
		if profile, ok := e.(map[string]any); ok {
			profile["plugins"] = append(list(profile["plugins"]), map[string]any{"pluginRef": loraScorer, "weight": loraWeight})
		}
	}
}

// ownConfig is KServe's for a service that has none (kserve scheduler.go, v0.20.0).
func (s *service) ownConfig() {
	at := s.at(schedulerFrom)
	lora := s.spec.Model.LoRA != nil && len(s.spec.Model.LoRA.Adapters) > 0
	if s.spec.Prefill == nil {
		scorers := []any{scorer("queue-scorer", 2), scorer("kv-cache-utilization-scorer", 2), scorer("prefix-cache-scorer", 3), scorer("no-hit-lru-scorer", 2)}
		if lora {
			scorers = append(scorers, scorer(loraScorer, loraWeight))
		}
		s.Set(schedulerTo+".scorers", scorers, at)
		return
	}
	config := disaggregated()
	if lora {
		affine(config)
	}
	s.Set(schedulerTo+".config", config, at)
}

func scorer(typ string, weight int) map[string]any {
	return map[string]any{"type": typ, "weight": weight}
}

// disaggregated is KServe's configuration for prefill and decode servers: every request goes
// to a prefill server first.
func disaggregated() map[string]any {
	types := func(names ...string) []any {
		return lists.Map(names, func(name string) any { return map[string]any{"type": name} })
	}
	ref := func(name string) map[string]any { return map[string]any{"pluginRef": name} }
	weighted := func(name string, weight int) map[string]any {
		return map[string]any{"pluginRef": name, "weight": weight}
	}
	plugins := append(
		types("prefill-filter", "decode-filter", "queue-scorer", "kv-cache-utilization-scorer",
			"active-request-scorer", "prefix-cache-scorer", "max-score-picker", "always-disagg-pd-decider"),
		map[string]any{"type": "disagg-profile-handler", "parameters": map[string]any{"deciders": map[string]any{"prefill": "always-disagg-pd-decider"}}},
	)
	return map[string]any{
		"plugins": plugins,
		"schedulingProfiles": []any{
			map[string]any{"name": "prefill", "plugins": []any{
				ref("prefill-filter"), weighted("prefix-cache-scorer", 3), weighted("queue-scorer", 2), weighted("kv-cache-utilization-scorer", 2), ref("max-score-picker"),
			}},
			map[string]any{"name": "decode", "plugins": []any{
				ref("decode-filter"), weighted("active-request-scorer", 2), weighted("prefix-cache-scorer", 3), ref("max-score-picker"),
			}},
		},
	}
}

// renamed are plugins by the names that older EPPs have for them (kserve scheduler.go, v0.20.0;
// llm-d-router cmd/epp/runner/runner.go).
var renamed = map[string]string{
	"pd-profile-handler":            "disagg-profile-handler",
	"model-server-protocol-metrics": "core-metrics-extractor",
}

// rewrite brings a configuration of an older EPP into the form of the release line's, as
// KServe does when it updates the EPP of a service.
func (s *service) rewrite(config map[string]any, from string) {
	on := s.On(schedulerTo+".config", from)
	config["plugins"] = slices.DeleteFunc(list(config["plugins"]), func(e any) bool {
		typ, _ := at(e, "type").(string)
		headers := typ == "prefill-header-handler" || typ == "disagg-headers-handler"
		if headers {
			on.Dropped().Note("%s is left out: the handler of the profiles sets the headers itself since 0.10", typ)
		}
		return headers
	})
	for _, p := range plugins(config) {
		typ, _ := p["type"].(string)
		if to, ok := renamed[typ]; ok {
			p["type"] = to
			on.Note("%s is %s now", typ, to)
			if p["name"] == nil {
				rename(config, typ, to)
			}
		}
		if typ == "pd-profile-handler" {
			decider(config, p)
		}
		prefixParameters(config, p, on)
	}
}

// rename changes the references to a plugin.
func rename(config map[string]any, from, to string) {
	for _, e := range list(config["schedulingProfiles"]) {
		for _, r := range list(at(e, "plugins")) {
			if ref, ok := r.(map[string]any); ok && ref["pluginRef"] == from {
				ref["pluginRef"] = to
			}
		}
	}
}

// decider replaces the threshold of the former handler of prefill and decode: a number of
// characters, of which four are about a token.
func decider(config, handler map[string]any) {
	parameters, _ := handler["parameters"].(map[string]any)
	delete(parameters, "hashBlockSize")
	name := "always-disagg-pd-decider"
	plugin := map[string]any{"type": name}
	if own, ok := parameters["deciderPluginName"].(string); ok {
		name, plugin = own, nil
	} else if n, err := strconv.Atoi(fmt.Sprint(parameters["threshold"])); err == nil && n > 0 {
		name = "prefix-based-pd-decider"
		plugin = map[string]any{"type": name, "parameters": map[string]any{"nonCachedTokens": (n + 3) / 4}}
	}
	if plugin != nil && !hasPlugin(config, name) {
		config["plugins"] = slices.Insert(list(config["plugins"]), 0, any(plugin))
	}
	parameters = maps.Clone(parameters)
	if parameters == nil {
		parameters = map[string]any{}
	}
	delete(parameters, "threshold")
	delete(parameters, "deciderPluginName")
	parameters["deciders"] = map[string]any{"prefill": name}
	handler["parameters"] = parameters
}

// prefixParameters moves the parameters of the prefix-cache scorer to the producer that has
// them since 0.9.
func prefixParameters(config, p map[string]any, on draft.Spot) {
	parameters, _ := p["parameters"].(map[string]any)
	if p["type"] != "prefix-cache-scorer" || len(parameters) == 0 {
		return
	}
	moved := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(parameters)) {
		switch name {
		case "prefixMatchInfoProducerName":
			continue
		case "hashBlockSize", "blockSize", "mode":
			on.Dropped().Note("%s of prefix-cache-scorer is left out: the EPP takes the block size from the servers, and the mode is the plugin's", name)
		default:
			moved[name] = parameters[name]
		}
		delete(parameters, name)
	}
	if len(parameters) == 0 {
		delete(p, "parameters")
	}
	if len(moved) > 0 {
		on.Note("%s of prefix-cache-scorer belongs to approx-prefix-cache-producer now", joinKeys(moved))
		config["plugins"] = append(list(config["plugins"]), map[string]any{"type": "approx-prefix-cache-producer", "parameters": moved})
	}
}

func joinKeys(m map[string]any) string { return strings.Join(slices.Sorted(maps.Keys(m)), ", ") }
