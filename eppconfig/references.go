package eppconfig

import (
	"maps"
	"slices"
	"strings"

	"github.com/inferstack/inferstack/release"
)

// reference is a text that names a plugin.
type reference struct {
	at     path
	schema *release.Schema
	name   string
	// given says that it is written and not a default.
	given bool
}

// refer takes note of what names a plugin. Producers are matched by the data they make.
func (j *judge) refer(s *release.Schema, v any, given bool, at path) {
	if s.Plugin == "" || s.Plugin == release.KindProducer {
		return
	}
	name, ok := v.(string)
	if given && v != nil && !ok {
		return // reported as no text
	}
	if name == "" && !s.Automatic && (!given || v == nil) {
		name, _ = s.Default.(string)
	}
	if name != "" {
		j.refs = append(j.refs, reference{at: at, schema: s, name: name, given: given})
	}
}

// references checks that what is named is a plugin of the right category.
func (j *judge) references() {
	for _, r := range j.refs {
		if !j.superseded(r.at) {
			j.reference(r)
		}
	}
}

// superseded reports whether a deprecated section is not read since its successor is there.
func (j *judge) superseded(at path) bool {
	switch at[0] {
	case "saturationDetector":
		flow, _ := j.config["flowControl"].(map[string]any)
		return flow["saturationDetector"] != nil
	case "parser":
		handler, _ := j.config["requestHandler"].(map[string]any)
		list, _ := handler["parsers"].([]any)
		return len(list) > 0
	}
	return false
}

func (j *judge) reference(r reference) {
	kind := r.schema.Plugin
	if p := j.byName[r.name]; p != nil && j.tooLate(r, p) {
		return
	} else if p != nil {
		if kind != "any" && p.known != nil && !p.is(kind) {
			j.wrongKind(r, p.known)
		}
		return
	}
	if r.schema.Automatic && r.name == r.schema.Default || j.added[r.name] && (j.d.Loader.References || r.at[0] != "plugins") {
		if p := j.d.Plugin(r.name); kind != "any" && p != nil && !p.Is(kind) {
			j.wrongKind(r, p)
		}
		return
	}
	if p := j.d.Plugin(r.name); r.schema.AnyType && p != nil {
		if !p.Is(kind) {
			j.wrongKind(r, p)
		}
		return
	}
	known := slices.Sorted(maps.Keys(j.byName))
	message := "no plugin named %s is declared in plugins"
	if !r.given {
		message = "is left out and means %s, which is not declared in plugins"
	}
	j.add(r.at, message, r.name).near(r.name, known)
}

// tooLate reports a plugin that is made after the one whose parameters name it.
func (j *judge) tooLate(r reference, p *plugin) bool {
	if j.d.Loader.References || r.at[0] != "plugins" || p.at[1].(int) < r.at[1].(int) {
		return false
	}
	j.add(r.at, "%s is listed after this plugin, and %s makes them in the order of the list; move it up", r.name, j.version())
	return true
}

func (j *judge) wrongKind(r reference, p *release.Plugin) {
	types := j.d.PluginTypes(r.schema.Plugin)
	if len(types) == 0 {
		j.add(r.at, "%s is %s, and %s has no %s", r.name, article(p.Kind()), j.version(), words(r.schema.Plugin))
		return
	}
	if len(types) > 6 {
		types = types[:6]
	}
	j.add(r.at, "%s is %s, not %s such as %s", r.name, article(p.Kind()), article(r.schema.Plugin), strings.Join(types, ", "))
}

func words(kind string) string { return strings.ReplaceAll(kind, "-", " ") }

func article(kind string) string {
	if strings.ContainsRune("aeiou", rune(kind[0])) && !strings.HasPrefix(kind, "usage") {
		return "an " + words(kind)
	}
	return "a " + words(kind)
}
