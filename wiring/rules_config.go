package wiring

import (
	"slices"

	"github.com/inferstack/inferstack/release"
)

var configRules = []Rule{
	{
		ID: "epp-config-invalid", Severity: Error,
		Doc: "The EndpointPickerConfig has something that the endpoint picker of this image refuses or cannot use: a plugin it does not have, " +
			"an unknown parameter, a reference to a plugin that is not declared, two profile handlers, a single-profile handler with two " +
			"profiles, a disaggregation handler without the profiles prefill and decode. It ends at start. Where the image's version is " +
			"not known only what no release line takes is reported.",
		find: func(g *G, r *report) { findConfig(g, r, false) },
	},
	{
		ID: "epp-config-deprecated", Severity: Warning,
		Doc: "The EndpointPickerConfig has something that the endpoint picker of this image still takes but that is on its way out, or that " +
			"it ignores.",
		find: func(g *G, r *report) { findConfig(g, r, true) },
	},
	{
		ID: "epp-alpha-plugin", Severity: Error,
		Doc: "The configuration names an experimental plugin, and the endpoint picker is not started with --allow-experimental-plugins=true. " +
			"It ends at start.",
		find: func(g *G, r *report) {
			for _, e := range g.epps {
				config, _ := e.config.decoded().(map[string]any)
				if e.catalogue == nil || config == nil || e.on("allow-experimental-plugins", false) || e.catalogue.EPP.Flags["allowExperimentalPlugins"] == "" {
					continue
				}
				if types := e.catalogue.EPP.Experimental(config); len(types) > 0 {
					r.add(place{e.configAt, e.plugin(types[0])}, e.pods.Ref, "%s is experimental, and %s is not allowed to use it", list(types), e.pods.Ref).
						mend("start it with --allow-experimental-plugins=true")
				}
			}
		},
	},
	{
		ID: "epp-filter-labels", Severity: Error,
		Doc: "A filter of the configuration keeps only servers with labels that no pod of the pool has. Every request fails with 503.",
		find: func(g *G, r *report) {
			for _, e := range g.epps {
				pods := g.servers(e)
				for _, plugin := range e.plugins() {
					selector := plugin.at("parameters")
					if t := plugin.at("type").text(); t != "label-selector-filter" && t != "by-label-selector" || len(pods) == 0 {
						continue
					}
					if !slices.ContainsFunc(pods, func(p *Pods) bool { return selectsAll(selector, p.labels) }) {
						r.add(place{e.configAt, selector}, pods[0].Ref, "no pods of the pool have the labels that %s keeps", plugin.at("type").text()).mend("label the pods, or correct the filter")
					}
				}
			}
		},
	},
}

// findConfig holds the configuration against the image's release line. Without one it
// keeps what every line finds at the same place.
func findConfig(g *G, r *report, warnings bool) {
	for _, e := range g.epps {
		config, ok := e.config.decoded().(map[string]any)
		if !ok {
			continue
		}
		lines := []*release.Line{e.catalogue}
		if e.catalogue == nil {
			lines = allLines()
		}
		for _, f := range lines[len(lines)-1].Check(config) {
			if f.Warning != warnings || !everyLine(lines, config, f) || e.catalogue == nil && f.Path == "apiVersion" {
				continue
			}
			found := r.add(place{e.configAt, follow(e.config, f.Path)}, e.pods.Ref, "%s: %s", f.Path, f.Message)
			if meant := near(f.Value, f.Known); meant != "" {
				found.mend("did you mean %s?", meant)
			}
		}
	}
}

func allLines() []*release.Line {
	var lines []*release.Line
	for _, name := range release.Names() {
		line, err := release.Load(name)
		if err != nil {
			panic(err) // the lines are embedded
		}
		lines = append(lines, line)
	}
	return lines
}

func everyLine(lines []*release.Line, config map[string]any, f release.Finding) bool {
	for _, line := range lines {
		if !slices.ContainsFunc(line.Check(config), func(o release.Finding) bool { return o.Path == f.Path && o.Warning == f.Warning }) {
			return false
		}
	}
	return true
}

// plugin is the first of the configuration's plugins of that type.
func (e *epp) plugin(types ...string) field {
	for _, p := range e.plugins() {
		if slices.Contains(types, p.at("type").text()) {
			return p
		}
	}
	return field{parent: e.config.line()}
}

// servers are the pods that the EPP chooses among.
func (g *G) servers(e *epp) []*Pods {
	if pool := e.pool(g); pool != nil {
		return g.selected(pool, poolSelector(pool))
	}
	selector := parseSelector(e.flag("endpoint-selector"))
	return first(g, g.pods.take(e.pods.Namespace, matchingPairs(selector)))
}
