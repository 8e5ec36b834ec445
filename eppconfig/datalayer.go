package eppconfig

import (
	"fmt"
	"slices"

	"github.com/inferstack/inferstack/release"
)

// dataLayer checks sources against the extractors that listen to them (llm-d-router
// pkg/epp/datalayer/runtime.go). References to nothing are found with the others.
func (j *judge) dataLayer() {
	section := j.d.DataSection()
	schema := j.d.Config.Fields.Get(section)
	if schema == nil || schema.OffGate != "" && j.gates[schema.OffGate] || !j.dataGate(section) {
		return
	}
	sources := j.sources()
	seen := map[string]int{}
	objects := map[string]*plugin{}
	for i, entry := range sources {
		m, _ := entry.(map[string]any)
		name, _ := m["pluginRef"].(string)
		source := j.byName[name]
		if source == nil || !source.is(release.KindSource) {
			continue
		}
		at := path{section, "sources", i}
		if first, ok := seen[name]; ok && source.known.Feeds != "endpoints" && source.known.Feeds != "objects" {
			j.add(at.key("pluginRef"), "%s is a source already, in %s.sources[%d]", name, section, first)
		}
		seen[name] = i
		j.watched(source, objects, at)
		j.extractors(source, m["extractors"], at.key("extractors"))
	}
	j.injected()
	layer, _ := j.config[section].(map[string]any)
	if layer != nil && len(sources) == 0 && j.d.Loader.DefaultSourceOnly {
		j.add(path{section}, "has no sources, and the EPP needs one; leave the section out, and it adds %s", j.d.Loader.DefaultSource)
	}
	if layer != nil && len(sources) == 0 && !j.injectsSource() && j.d.Loader.DefaultSource != "" && !j.d.Loader.DefaultSourceOnly && !j.ownSource() {
		j.add(path{section, "injectDefaults"}, "is false and there are no sources; the EPP needs one")
	}
}

// dataGate checks a section that goes with a gate, and reports whether it is read.
func (j *judge) dataGate(section string) bool {
	gate := j.d.Loader.DataGate
	if gate == "" {
		return true
	}
	written := j.config[section] != nil
	switch {
	case j.gates[gate] && len(j.sources()) == 0:
		j.add(path{section}, "has no sources, and the EPP needs one with the feature gate %s", gate)
	case !j.gates[gate] && written && j.d.Loader.DataNeedsGate:
		j.add(path{section}, "needs the feature gate %s; add it to featureGates", gate)
		return false
	}
	return written
}

// sources are those of the data layer.
func (j *judge) sources() []any { return j.written(j.d.DataSection(), "sources") }

// watched reports two sources that watch one kind of object.
func (j *judge) watched(source *plugin, objects map[string]*plugin, at path) {
	if source.known.Feeds != "objects" {
		return
	}
	kind := ""
	for _, part := range []string{"group", "version", "kind"} {
		text := source.parameterText(part)
		kind += "/" + text
	}
	if other := objects[kind]; other != nil {
		j.add(at.key("pluginRef"), "%s watches the same kind of object as %s", source.name, other.name)
	}
	objects[kind] = source
}

// extractors checks that a source's extractors read what it brings.
func (j *judge) extractors(source *plugin, v any, at path) {
	list, _ := v.([]any)
	types := map[string]bool{}
	for i, entry := range list {
		m, _ := entry.(map[string]any)
		name, _ := m["pluginRef"].(string)
		extractor := j.byName[name]
		if extractor == nil || !extractor.is(release.KindExtractor) {
			continue
		}
		where := at.index(i).key("pluginRef")
		if gate := extractor.known.NeedsGate; gate != "" && !j.gates[gate] {
			j.add(where, "%s needs the feature gate %s; add it to featureGates", extractor.typ, gate)
		}
		if !slices.Contains(extractor.known.Takes, source.known.Feeds) {
			j.add(where, "%s does not read the %s that %s brings", extractor.typ, source.known.Feeds, source.typ)
		} else if types[extractor.typ] {
			j.add(where, "%s has a %s already", source.name, extractor.typ)
		}
		types[extractor.typ] = true
	}
}

// injected checks plugins that take the place of the default source and its extractor.
func (j *judge) injected() {
	if !j.injectsSource() {
		return
	}
	source := j.byName[j.d.Loader.DefaultSource]
	if want := j.d.Plugin(j.d.Loader.DefaultSource); source != nil && source.is(release.KindSource) && want != nil && source.known.Feeds != want.Feeds {
		j.add(source.at.key("name"), "%s is the name of the data source that the EPP adds by itself; give this one another", source.name)
	}
	for name := range j.byName {
		p, want := j.byName[name], j.d.Plugin(name)
		if want != nil && p.is(release.KindExtractor) && p.typ != name && want.Kind() == release.KindExtractor && j.isDefault(name) && !slices.Equal(p.known.Takes, want.Takes) {
			j.add(p.at.key("name"), "%s is the name of the extractor that the EPP adds by itself; give this one another", name)
		}
	}
}

func (j *judge) isDefault(name string) bool {
	return slices.ContainsFunc(j.d.Loader.Defaults, func(d release.DefaultPlugin) bool { return d.Type == name })
}

// ownSource reports whether a plugin brings a source of its own, or a producer that is made for one does.
func (j *judge) ownSource() bool {
	made := map[string]bool{}
	queue := slices.Clone(j.plugins)
	for len(queue) > 0 {
		p := queue[0]
		queue = queue[1:]
		if p.known != nil && p.known.OwnSource {
			return true
		}
		for _, n := range p.needs() {
			if name := j.d.Producer(n.Data); name != "" && j.byName[name] == nil && !made[name] {
				made[name] = true
				queue = append(queue, j.automatic(name, p.at))
			}
		}
	}
	return false
}

// listens reports whether an extractor is given to a source that brings endpoints.
func (j *judge) listens(extractor *plugin) bool {
	for _, entry := range j.sources() {
		m, _ := entry.(map[string]any)
		list, _ := m["extractors"].([]any)
		for _, e := range list {
			ref, _ := e.(map[string]any)
			if fmt.Sprint(ref["pluginRef"]) == extractor.name {
				return true
			}
		}
	}
	return false
}
