package helm

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/inferstack/inferstack/convert/draft"
	catalogue "github.com/inferstack/inferstack/release"
)

// presets of the charts, by the name of their file.
var presets = map[string]string{
	"": "default", defaultFile: "default", "plugins-v2.yaml": "default",
}

const defaultFile = "default-plugins.yaml"

// splitting are the presets that have a profile for prefill servers.
var splitting = []string{"pd-disaggregation", precisePreset}

// plugins is the EPP's configuration.
func (r *release) plugins(p *draft.Part, ext *Extension) {
	file := ext.PluginsConfigFile
	_, custom := ext.PluginsCustomConfig[file]
	for _, name := range slices.Sorted(maps.Keys(ext.PluginsCustomConfig)) {
		if name != file {
			p.On(schedulerSection, extensionSection+".pluginsCustomConfig").Dropped().Warn("%s is left out: the EPP reads %s", name, draft.Unless(file, defaultFile))
		}
	}
	if r.router != nil && len(r.router.Router.EPP.PluginsConfig) > 0 {
		if custom {
			r.routerPart.On("", "router.epp.pluginsConfig").Fail("%s is in pluginsCustomConfig as well; the chart refuses that", file)
		}
		r.configured(r.routerPart, "router.epp.pluginsConfig", r.router.Router.EPP.PluginsConfig, file)
		return
	}
	if !custom {
		r.chartFile(p, ext)
		return
	}
	from := extensionSection + ".pluginsCustomConfig[" + file + "]"
	if r.router != nil {
		p, from = r.routerPart, routerPath(from)
	}
	if inner := r.embedded(p, from); inner != nil {
		var config map[string]any
		if err := inner.Doc.At(from).Decode(&config); err != nil {
			p.On("", from).Fail("a mapping in it has a key that is not text")
			return
		}
		r.configured(inner, from, config, file)
	}
}

// chartFile is a configuration that the charts bring.
func (r *release) chartFile(p *draft.Part, ext *Extension) {
	const from = extensionSection + ".pluginsConfigFile"
	config := r.chartConfig(p, ext)
	preset, known := presets[ext.PluginsConfigFile]
	if older := olderFiles[ext.PluginsConfigFile]; r.own && older != "" {
		if r.disaggregated() && !slices.Contains(splitting, older) {
			p.On(schedulerSection, from).Note("the chart's %s knows no prefill servers, and they would get no request; the EPP is set up for them now", ext.PluginsConfigFile)
			return
		}
		p.Set(schedulerSection+".preset", older, from)
		p.On(schedulerSection+".preset", from).Note("%s of the chart is the preset %s now, with its own weights", ext.PluginsConfigFile, older)
		return
	}
	switch {
	case ext.PluginsConfigFile == "payload-agnostic.yaml":
		p.Set(schedulerSection+".config", payloadAgnostic(), from)
	case !known:
		p.On("", from).Fail("%q is neither in pluginsCustomConfig nor a file of the chart", ext.PluginsConfigFile)
	case config != nil:
		p.Set(schedulerSection+".config", config, from)
	case r.disaggregated():
		p.On(schedulerSection, from).Note("the chart's %s knows no prefill servers, and they would get no request; the EPP is set up for them now", draft.Unless(ext.PluginsConfigFile, defaultFile))
	case ext.PluginsConfigFile != "":
		p.Set(schedulerSection+".preset", preset, from)
	}
}

// configured takes over a configuration of the user's own.
func (r *release) configured(p *draft.Part, from string, config map[string]any, file string) {
	if r.precise(p, from, config) {
		return
	}
	config = maps.Clone(config)
	delete(config, "apiVersion")
	delete(config, "kind")
	c := &configuration{part: p, config: config, from: from}
	c.correct()
	c.engine(r.engine())
	r.tokens(p, from, c.config)
	p.Set(schedulerSection+".config", c.config, from)
	p.Set(schedulerSection+".configMap.key", draft.Unless(file, defaultFile), "")
}

// A configuration is an EndpointPickerConfig that is being corrected.
type configuration struct {
	part   *draft.Part
	config map[string]any
	from   string
}

func (c *configuration) correct() {
	c.gates()
	c.filters()
	plugins, _ := c.config["plugins"].([]any)
	for _, e := range plugins {
		if plugin, ok := e.(map[string]any); ok {
			c.rename(plugin)
			c.prefix(plugin)
			c.threshold(plugin)
		}
	}
	for _, reference := range c.references() {
		c.named(reference)
	}
}

// gates leaves out feature gates that the EPP of the stack's release line refuses, since what
// they turned on is always on.
func (c *configuration) gates() {
	line, err := catalogue.Load(draft.Unless(c.part.Text("spec.release"), catalogue.Default))
	list, _ := c.config["featureGates"].([]any)
	if err != nil || list == nil {
		return
	}
	kept := slices.DeleteFunc(slices.Clone(list), func(gate any) bool {
		name, value, _ := strings.Cut(fmt.Sprint(gate), "=")
		why, removed := line.EPP.Speaks().RemovedGates.Find(name)
		if removed = removed && value != "false"; removed {
			c.on().Dropped().Note("the feature gate %s is left out: %s", name, why)
		}
		return removed
	})
	if c.config["featureGates"] = kept; len(kept) == 0 {
		delete(c.config, "featureGates")
	}
}

// references are the plugins of all profiles.
func (c *configuration) references() (out []map[string]any) {
	profiles, _ := c.config["schedulingProfiles"].([]any)
	for _, e := range profiles {
		profile, _ := e.(map[string]any)
		references, _ := profile["plugins"].([]any)
		for _, e := range references {
			if reference, ok := e.(map[string]any); ok {
				out = append(out, reference)
			}
		}
	}
	return out
}

// named corrects a reference to the type of a plugin that has a name of its own, which
// the EPP does not find.
func (c *configuration) named(reference map[string]any) {
	var names []string
	plugins, _ := c.config["plugins"].([]any)
	for _, e := range plugins {
		plugin, _ := e.(map[string]any)
		name, own := plugin["name"].(string)
		switch {
		case own && name == reference["pluginRef"], !own && plugin["type"] == reference["pluginRef"]:
			return
		case own && plugin["type"] == reference["pluginRef"]:
			names = append(names, name)
		}
	}
	if len(names) == 1 {
		c.say("%s is referred to by its name, %s", reference["pluginRef"], names[0])
		reference["pluginRef"] = names[0]
	}
}

// rename corrects a plugin's type and, where the type is its name, the references.
func (c *configuration) rename(plugin map[string]any) {
	old, _ := plugin["type"].(string)
	line, err := c.line()
	if err != nil {
		return // reported of the stack
	}
	to := line.EPP.Speaks().Present(old)
	if to == "" {
		return
	}
	plugin["type"] = to
	c.say("%s is %s on release line %s", old, to, line.Name)
	if _, named := plugin["name"]; named {
		return
	}
	for _, reference := range c.references() {
		if reference["pluginRef"] == old {
			reference["pluginRef"] = to
		}
	}
}

// line is the stack's release line.
func (c *configuration) line() (*catalogue.Line, error) {
	return catalogue.Load(draft.Unless(c.part.Text("spec.release"), catalogue.Default))
}

// has reports whether the EPP of the stack's release line has a plugin.
func (c *configuration) has(plugin string) bool {
	line, err := c.line()
	return err != nil || line.EPP.Plugin(plugin) != nil
}

// prefix moves parameters of the prefix-cache scorer to the producer that has them
// since 0.9; its block size is that of the servers.
func (c *configuration) prefix(plugin map[string]any) {
	parameters, _ := plugin["parameters"].(map[string]any)
	if plugin["type"] != "prefix-cache-scorer" || len(parameters) == 0 || !c.has("approx-prefix-cache-producer") {
		return
	}
	moved := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(parameters)) {
		switch name {
		case "maxPrefixBlocksToMatch", "lruCapacityPerServer", "autoTune", "blockSizeTokens", "maxPrefixTokensToMatch":
			moved[name] = parameters[name]
		case "hashBlockSize", "blockSize", "mode":
			c.on().Dropped().Note("%s of prefix-cache-scorer is left out: the EPP takes the block size from the servers, and the mode is the plugin's", name)
		default:
			continue
		}
		delete(parameters, name)
	}
	if len(parameters) == 0 {
		delete(plugin, "parameters")
	}
	if len(moved) > 0 {
		c.say("parameters of prefix-cache-scorer belong to approx-prefix-cache-producer now")
		plugins, _ := c.config["plugins"].([]any)
		c.config["plugins"] = append(plugins, map[string]any{"type": "approx-prefix-cache-producer", "parameters": moved})
	}
}

func (c *configuration) on() draft.Spot { return c.part.On(schedulerSection+".config", c.from) }

// threshold gives the handler of prefill servers the decider that does what its threshold did:
// prompts with fewer characters that are in no cache stay with the decode server, and none do
// with 0 (llm-d-inference-scheduler 0.3 and 0.4, pkg/plugins/profile/pd_profile_handler.go). Four
// characters are taken for a token.
func (c *configuration) threshold(plugin map[string]any) {
	const always, byPrefix = "always-disagg-pd-decider", "prefix-based-pd-decider"
	parameters, _ := plugin["parameters"].(map[string]any)
	threshold, written := parameters["threshold"]
	_, sized := parameters["hashBlockSize"]
	if plugin["type"] != "pd-profile-handler" || !written && !sized || !c.has(always) {
		return
	}
	delete(parameters, "threshold")
	delete(parameters, "hashBlockSize")
	if parameters["deciderPluginName"] != nil {
		return
	}
	decider := map[string]any{"type": always}
	if n, _ := strconv.ParseInt(fmt.Sprint(threshold), 10, 64); n > 0 {
		decider = map[string]any{"type": byPrefix, "parameters": map[string]any{"nonCachedTokens": (n + 3) / 4}}
	}
	parameters["deciderPluginName"] = decider["type"]
	c.say("threshold of pd-profile-handler is the plugin %s now; the EPP takes the block size from the servers", decider["type"])
	if !c.declares(decider["type"]) {
		plugins, _ := c.config["plugins"].([]any)
		c.config["plugins"] = append(plugins, decider)
	}
}

// declares reports whether a configuration has a plugin of a type.
func (c *configuration) declares(typ any) bool {
	plugins, _ := c.config["plugins"].([]any)
	return slices.ContainsFunc(plugins, func(e any) bool {
		plugin, _ := e.(map[string]any)
		return plugin["type"] == typ
	})
}

func (c *configuration) say(format string, args ...any) { c.on().Note(format, args...) }
