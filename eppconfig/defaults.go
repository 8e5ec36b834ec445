package eppconfig

import (
	"slices"

	"github.com/inferstack/inferstack/release"
)

// addDefaults works out which plugins the loader adds, and reports plugins of another kind
// that have their names.
func (j *judge) addDefaults() {
	j.added = map[string]bool{}
	for _, d := range j.d.Loader.Defaults {
		if !j.needed(d) {
			continue
		}
		p := j.byName[d.Type]
		if p == nil {
			j.added[d.Type] = true
			continue
		}
		kind := j.d.Plugin(d.Type).Kind()
		if d.Unless != "" {
			j.replace(p)
			continue
		}
		if p.known != nil && !p.is(kind) && (d.Used == "always" || j.gates[d.Used]) {
			j.add(p.at.key("name"), "%s is the name of the %s that the EPP adds by itself; give this %s another one", p.name, words(kind), words(p.known.Kind()))
		}
	}
	for _, name := range j.parsers() {
		switch {
		case j.byName[name] != nil:
		case j.d.Config.Fields.Get("requestHandler") == nil: // whatever is named, the default one is added
			for _, parser := range j.d.Loader.DefaultParsers {
				j.added[parser] = true
			}
		case j.d.Plugin(name) != nil:
			j.added[name] = true
		}
	}
	if len(j.written("requestHandler", "parsers")) == 0 && j.config["parser"] == nil {
		for _, name := range j.d.Loader.DefaultParsers {
			if p := j.byName[name]; p != nil && p.known != nil && !p.is(release.KindParser) {
				j.add(p.at.key("name"), "%s is the name of a parser that the EPP adds by itself; give this %s another one", p.name, words(p.known.Kind()))
			}
		}
	}
}

// replace forgets a plugin that the loader puts its own in the place of.
func (j *judge) replace(p *plugin) {
	j.warn(p.at.key("name"), "%s is the name of a plugin that the EPP adds by itself, which takes the place of this one; give it another name", p.name)
	j.plugins = slices.DeleteFunc(slices.Clone(j.plugins), func(other *plugin) bool { return other == p })
	delete(j.byName, p.name)
	j.replaced = append(j.replaced, p)
	j.added[p.name] = true
}

// needed reports whether the loader looks for a default plugin at all.
func (j *judge) needed(d release.DefaultPlugin) bool {
	switch {
	case d.Unless != "" && (len(j.ofKind(d.Unless)) > 0 || j.anyUnknown()):
		return false
	case d.OneProfile && len(j.profiles) > 1:
		return false
	}
	p := j.d.Plugin(d.Type)
	switch {
	case p == nil:
		return false
	case p.Is(release.KindSaturationDetector):
		ref := j.saturationDetector()
		return ref == "" || ref == d.Type
	case p.Is(release.KindSource) || p.Is(release.KindExtractor):
		return j.injectsSource()
	}
	return true
}

// saturationDetector is the one that is named, in either place.
func (j *judge) saturationDetector() string {
	flow, _ := j.config["flowControl"].(map[string]any)
	section, ok := flow["saturationDetector"].(map[string]any)
	if !ok {
		section, _ = j.config["saturationDetector"].(map[string]any)
	}
	name, _ := section["pluginRef"].(string)
	return name
}

// parsers are those in effect.
func (j *judge) parsers() (names []string) {
	for _, entry := range j.written("requestHandler", "parsers") {
		m, _ := entry.(map[string]any)
		name, _ := m["pluginRef"].(string)
		names = append(names, name)
	}
	if old, ok := j.config["parser"].(map[string]any); ok && len(names) == 0 {
		name, _ := old["pluginRef"].(string)
		names = append(names, name)
	}
	if len(names) == 0 {
		return j.d.Loader.DefaultParsers
	}
	return names
}

// written is a list in a section of the configuration.
func (j *judge) written(section, list string) []any {
	m, _ := j.config[section].(map[string]any)
	items, _ := m[list].([]any)
	return items
}

// injectsSource reports whether the loader adds the default data source.
func (j *judge) injectsSource() bool {
	layer, written := j.config[j.d.DataSection()].(map[string]any)
	if j.d.Loader.DefaultSourceOnly {
		return !written && !j.gates[j.d.Config.Fields.Get(j.d.DataSection()).OffGate]
	}
	if inject, ok := layer["injectDefaults"].(bool); ok && !inject {
		return false
	}
	for _, entry := range j.sources() {
		m, _ := entry.(map[string]any)
		if m["pluginRef"] == j.d.Loader.DefaultSource {
			return false
		}
	}
	return j.d.Loader.DefaultSource != ""
}
