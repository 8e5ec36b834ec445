package release

import (
	"maps"
	"slices"
	"strings"

	"github.com/inferstack/inferstack/internal/freeform"
	"github.com/inferstack/inferstack/internal/lists"
)

// Variant is a value with the facts of a stack under which it holds.
type Variant struct {
	When  map[string]string `json:"when,omitempty"`
	Value any               `json:"value"`
}

// Facts are what variants are chosen by, such as prefill: "true".
type Facts map[string]string

// holds reports whether all conditions of the variant are among the facts.
func (v Variant) holds(facts Facts) bool {
	for name, want := range v.When {
		if facts[name] != want {
			return false
		}
	}
	return true
}

func choose(variants []Variant, facts Facts) (any, bool) {
	for _, v := range variants {
		if v.holds(facts) {
			return v.Value, true
		}
	}
	return nil, false
}

// PresetNames lists the presets in order.
func (c *Configuration) PresetNames() []string { return slices.Sorted(maps.Keys(c.Presets)) }

// Preset returns a configuration without apiVersion and kind, or nil when the line has no
// form of the preset for these facts. Values take the place of what is written as $name.
// The result shares nothing with the catalogue.
func (c *Configuration) Preset(name string, facts Facts, values map[string]any) map[string]any {
	return c.configuration(c.Presets[name], facts, values)
}

// Around returns the configuration around listed plugins, like Preset.
func (c *Configuration) Around(facts Facts, values map[string]any) map[string]any {
	return c.configuration(c.Listed, facts, values)
}

func (c *Configuration) configuration(variants []Variant, facts Facts, values map[string]any) map[string]any {
	chosen, ok := choose(variants, facts)
	if !ok {
		return nil
	}
	f := filler{pieces: c.Pieces, facts: facts, values: values}
	config, _ := f.fill(chosen).(map[string]any)
	return config
}

// PresetFits lists the conditions under which a line has a form of a preset, for advice.
func (c *Configuration) PresetFits(name string) []map[string]string {
	return lists.Map(c.Presets[name], func(v Variant) map[string]string { return maps.Clone(v.When) })
}

// filler replaces whole values that are written as $name. It never looks into a text: a
// value stays what it is, with its type.
type filler struct {
	pieces map[string][]Variant
	facts  Facts
	values map[string]any
}

// absent is what a piece without a fitting variant becomes; the field that holds it is
// left out.
type absent struct{}

func isAbsent(v any) bool {
	_, ok := v.(absent)
	return ok
}

func (f filler) fill(v any) any {
	switch v := v.(type) {
	case string:
		return f.replace(v)
	case []any:
		return f.fillList(v)
	case map[string]any:
		out := make(map[string]any, len(v))
		for key, value := range v {
			if filled := f.fill(value); !isAbsent(filled) {
				out[key] = filled
			}
		}
		return out
	default:
		return v
	}
}

// fillList puts the elements of a list in the place of an element that stands for it.
func (f filler) fillList(list []any) []any {
	out := make([]any, 0, len(list))
	for _, element := range list {
		filled := f.fill(element)
		if inner, ok := filled.([]any); ok && isPlaceholder(element) {
			out = append(out, inner...)
		} else if !isAbsent(filled) {
			out = append(out, filled)
		}
	}
	return out
}

func (f filler) replace(text string) any {
	if !isPlaceholder(text) {
		return text
	}
	name := text[1:]
	if value, ok := f.values[name]; ok {
		return freeform.Copy(value)
	}
	variants, ok := f.pieces[name]
	if !ok {
		return text // a test holds that no preset is left with one
	}
	if piece, ok := choose(variants, f.facts); ok {
		return f.fill(piece)
	}
	return absent{}
}

func isPlaceholder(v any) bool {
	text, ok := v.(string)
	return ok && len(text) > 1 && strings.HasPrefix(text, "$")
}
