package eppconfig

import (
	"fmt"
	"slices"

	"github.com/inferstack/inferstack/internal/lists"
	"github.com/inferstack/inferstack/release"
)

// plugin is an entry of the plugins.
type plugin struct {
	at         path
	typ, name  string
	parameters map[string]any
	// known is what the version says of the type; nil when it has no such type.
	known *release.Plugin
	// form is the form of the parameters that was taken.
	form *release.Schema
}

// readPlugins checks the plugins with their parameters.
func (j *judge) readPlugins() {
	j.byName = map[string]*plugin{}
	list, _ := j.config["plugins"].([]any)
	j.spoken(list)
	for i, entry := range list {
		m, ok := entry.(map[string]any)
		if entry == nil {
			m, ok = map[string]any{}, true
		}
		if ok {
			j.readPlugin(path{"plugins", i}, m)
		}
	}
}

// spoken finds out whose parameters are read as those of another plugin.
func (j *judge) spoken(list []any) {
	j.speaker = map[string]int{}
	for i, entry := range list {
		m, _ := entry.(map[string]any)
		name, _ := m["type"].(string)
		if p := j.d.Plugin(name); p != nil && p.SpeaksFor != "" {
			j.speaker[p.SpeaksFor] = i
		}
	}
	for _, entry := range list {
		m, _ := entry.(map[string]any)
		if name, _ := m["type"].(string); j.d.Plugin(name) != nil {
			delete(j.speaker, name)
		}
	}
}

// unread reports whether a plugin's parameters are for one that is listed itself.
func (j *judge) unread(p *plugin) bool {
	if p.known.SpeaksFor == "" {
		return false
	}
	i, ok := j.speaker[p.known.SpeaksFor]
	return !ok || p.at[1] != i
}

func (j *judge) readPlugin(at path, m map[string]any) {
	p := &plugin{at: at}
	p.typ, _ = m["type"].(string)
	p.name, _ = m["name"].(string)
	if p.typ == "" {
		if t := m["type"]; t == nil || isText(t) {
			j.add(at.key("type"), "a plugin needs a type, such as queue-scorer")
		}
		return
	}
	if p.name == "" {
		p.name = p.typ
	}
	p.known = j.pluginType(at.key("type"), p.typ)
	j.plugins = append(j.plugins, p)
	if _, ok := j.byName[p.name]; ok {
		j.add(at, "there is another plugin named %s; give this one a name of its own", p.name)
	} else {
		j.byName[p.name] = p
	}
	if p.known == nil || p.known.IgnoresParameters || j.unread(p) {
		if p.known != nil && !empty(m["parameters"]) {
			j.warn(at.key("parameters"), "%s reads no parameters", p.typ).Unused = true
		}
		return
	}
	j.parameters(p, m["parameters"], at.key("parameters"))
	j.single(p)
}

func empty(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		return len(v) == 0
	default:
		return v == nil
	}
}

// pluginType looks a type up, and reports one that is wrong or on its way out.
func (j *judge) pluginType(at path, name string) *release.Plugin {
	p := j.d.Plugin(name)
	if p == nil {
		f := j.add(at, "%s has no plugin %s", j.version(), name)
		f.Unknown = true
		if right, ok := j.d.Renamed.Find(name); ok {
			f.Message += "; use " + right
			return nil
		}
		f.near(name, j.d.PluginTypes(""))
		return nil
	}
	if p.Replacement != "" {
		until := ""
		if p.Until != "" {
			until = ", whose removal was announced for " + p.Until
		}
		j.warn(at, "%s is deprecated on %s%s; use %s", name, j.version(), until, p.Replacement)
	}
	return p
}

// parameters judges a plugin's parameters. Those that do not fit the present form are taken
// in an older one where there is one that fits.
func (j *judge) parameters(p *plugin, v any, at path) {
	p.form = p.known.Parameters
	if p.form == nil {
		return // not known
	}
	p.parameters, _ = v.(map[string]any)
	m := mode{strict: j.d.Loader.StrictParameters, plugin: p.typ}
	if legacy := p.known.Legacy; legacy != nil && v != nil {
		if tried := j.try(p.form, v, at, m); fails(tried) {
			if older := j.try(legacy, v, at, m); !fails(older) {
				j.warn(at, "is in a deprecated form; use %s", fieldList(p.form))
				p.form = legacy
			}
		}
	}
	if v == nil {
		v = map[string]any{} // what is required is missed all the same
	}
	j.value(p.form, v, at, m)
}

// try judges without keeping what is found.
func (j *judge) try(s *release.Schema, v any, at path, m mode) []Finding {
	trial := &judge{d: j.d, ctx: j.ctx, gates: j.gates}
	m.typesOnly = true
	trial.value(s, v, at, m)
	return trial.findings
}

// fails reports whether the findings are such that a value cannot be decoded.
func fails(findings []Finding) bool {
	return slices.ContainsFunc(findings, func(f Finding) bool { return !f.Warning })
}

// single reports a second instance of what there may be one of.
func (j *judge) single(p *plugin) {
	for _, other := range j.plugins {
		if other != p && other.typ == p.typ && p.known.Single {
			j.add(p.at, "is a second %s; the EPP takes one", p.typ)
			return
		}
	}
}

// parameter looks a parameter up, which has its default when it is not there.
func (p *plugin) parameter(name string) (any, bool) {
	if p.form == nil {
		return nil, false
	}
	return lookup(p.form, p.parameters, mode{})(name)
}

func (p *plugin) is(kind string) bool { return p != nil && p.known != nil && p.known.Is(kind) }

// ofKind are the plugins of a category. Those of no known type may be of any.
func (j *judge) ofKind(kind string) []*plugin {
	return lists.Where(j.plugins, func(p *plugin) bool { return p.is(kind) })
}

// anyUnknown reports whether a plugin has no known type, so that it may serve anything.
func (j *judge) anyUnknown() bool {
	return slices.ContainsFunc(j.plugins, func(p *plugin) bool { return p.known == nil })
}

func (p *plugin) String() string {
	if p.name == p.typ {
		return p.typ
	}
	return fmt.Sprintf("%s (%s)", p.name, p.typ)
}
