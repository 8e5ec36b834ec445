package eppconfig

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/inferstack/inferstack/release"
)

// mode is how an object is decoded.
type mode struct {
	// exact fields differ by case: those of the configuration. Parameters are read by Go's
	// JSON decoder, which matches them without it.
	exact bool
	// strict objects refuse unknown fields.
	strict bool
	// typesOnly values are decoded and not used.
	typesOnly bool
	// top is the configuration itself.
	top bool
	// plugin whose parameters they are.
	plugin string
}

// value judges a value by what it may be.
func (j *judge) value(s *release.Schema, v any, at path, m mode) {
	if v == nil {
		if s.NotNull {
			j.add(at, "must not be null")
		}
		if s.Required && !m.typesOnly {
			j.add(at, "is required")
		}
		return
	}
	if s.Refused != "" {
		j.add(at, "is not taken: %s", s.Refused)
		return
	}
	switch s.Type {
	case release.TypeObject:
		j.object(s, v, at, m)
	case release.TypeList:
		j.list(s, v, at, m)
	case release.TypeMap:
		j.mapping(s, v, at, m)
	case release.TypeLabelSelector:
		j.labelSelector(v, at, m)
	case "":
		j.restrict(s, v, at, m)
	default:
		j.scalar(s, v, at, m)
	}
}

func (j *judge) object(s *release.Schema, v any, at path, m mode) {
	in, ok := v.(map[string]any)
	if !ok {
		j.add(at, "must be an object with %s (got %s)", fieldList(s), kindOf(v))
		return
	}
	fields := j.named(s, in, at, m)
	for name, field := range s.Fields.All() {
		key, given := fields[name]
		value := in[key]
		if !given {
			key = name
		}
		inner := m
		inner.top = false
		if s.Gate != "" && !j.gates[s.Gate] && !field.Ungated {
			inner.typesOnly = true
		}
		if s.OffGate != "" && j.gates[s.OffGate] {
			inner.typesOnly = true
		}
		if given || field.Required {
			j.value(field, value, at.key(key), inner)
		}
		if text, ok := value.(string); ok && field.EnumFrom != "" && !inner.typesOnly {
			j.among(field, text, in, at.key(key))
		}
		if other := lookupText(s, in, field.UnlessSet, m); !inner.typesOnly && other == "" {
			j.refer(field, value, given, at.key(key))
		}
	}
	if !m.typesOnly {
		j.rules(s.Rules, s, lookup(s, in, m), at, m)
	}
}

// among judges a text that must be one of the known ones, or of those in a list beside it.
func (j *judge) among(s *release.Schema, text string, in map[string]any, at path) {
	known := slices.Clone(s.Enum)
	list, field, _ := strings.Cut(s.EnumFrom, ".")
	items, _ := in[list].([]any)
	for _, item := range items {
		m, _ := item.(map[string]any)
		if name, ok := m[field].(string); ok {
			known = append(known, name)
		}
	}
	if !contains(known, text) {
		j.add(at, "must be %s (got %q)", alternatives(known), text).near(text, known)
	}
}

// named matches an object's keys with the fields, and reports what is none.
func (j *judge) named(s *release.Schema, in map[string]any, at path, m mode) map[string]string {
	fields := map[string]string{}
	for _, key := range slices.Sorted(maps.Keys(in)) {
		name, ok := fieldOf(s, key, m)
		switch {
		case ok:
			fields[name] = key
		case s.Loose || m.top && (key == "apiVersion" || key == "kind"):
		default:
			j.unknownField(s, key, at.key(key), m)
		}
	}
	return fields
}

func fieldOf(s *release.Schema, key string, m mode) (string, bool) {
	if s.Fields.Get(key) != nil {
		return key, true
	}
	if !m.exact {
		for name := range s.Fields.All() {
			if strings.EqualFold(name, key) {
				return name, true
			}
		}
	}
	return "", false
}

func (j *judge) unknownField(s *release.Schema, key string, at path, m mode) {
	known := s.FieldNames()
	message := fmt.Sprintf("unknown field; there are %s", strings.Join(known, ", "))
	moved := ""
	switch {
	case m.plugin != "":
		moved = j.d.MovedParameters.Get(m.plugin + "." + key)
		if len(known) == 0 {
			message = m.plugin + " takes no parameters"
		} else if len(at) == 4 { // plugins[0].parameters.name
			message = fmt.Sprintf("%s has no parameter %s; it has %s", m.plugin, key, strings.Join(known, ", "))
		}
		if moved != "" {
			message = fmt.Sprintf("%s has no parameter %s on %s; use %s", m.plugin, key, j.version(), moved)
		}
	case m.top:
		message = fmt.Sprintf("unknown field; %s has %s", j.version(), strings.Join(known, ", "))
	}
	f := j.add(at, "%s", message)
	if moved == "" {
		f.near(key, known)
	}
	if !m.strict {
		f.Warning = true
		f.Message += "; the EPP ignores it"
	}
}

func (j *judge) version() string {
	if j.ctx.Version != "" {
		return j.ctx.Version
	}
	return "this version"
}

func (j *judge) list(s *release.Schema, v any, at path, m mode) {
	items, ok := v.([]any)
	if !ok {
		j.add(at, "must be a list (got %s)", kindOf(v))
		return
	}
	for i, item := range items {
		if s.Items == nil {
			continue
		}
		inner := m
		inner.top = false
		if item == nil && s.Items.Type == release.TypeObject {
			item = map[string]any{} // null decodes to an empty struct
		}
		j.value(s.Items, item, at.index(i), inner)
		if s.Items.Plugin != "" && !m.typesOnly {
			j.refer(s.Items, item, true, at.index(i))
		}
	}
	if !m.typesOnly {
		j.restrictList(s, items, at)
	}
}

func (j *judge) restrictList(s *release.Schema, items []any, at path) {
	if s.Required && len(items) == 0 {
		j.add(at, "must not be empty")
	} else if s.Length > 0 && len(items) != s.Length {
		j.add(at, "must have exactly %d (got %d)", s.Length, len(items))
	}
	for _, field := range s.Unique {
		seen := map[string]int{}
		for i, item := range items {
			value := item
			where := at.index(i)
			if field != "." {
				object, _ := item.(map[string]any)
				value = object[field]
				where = where.key(field)
				if value == nil && s.Items != nil {
					if known := s.Items.Fields.Get(field); known != nil {
						value = known.Default
					}
				}
			}
			text := strings.ToLower(fmt.Sprint(value))
			if field != "headerName" {
				text = fmt.Sprint(value)
			}
			if first, ok := seen[text]; ok && value != nil {
				j.add(where, "%v is given twice, in %s as well", value, at.index(first))
			} else {
				seen[text] = i
			}
		}
	}
}

func (j *judge) mapping(s *release.Schema, v any, at path, m mode) {
	in, ok := v.(map[string]any)
	if !ok {
		j.add(at, "must be a mapping (got %s)", kindOf(v))
		return
	}
	for _, key := range slices.Sorted(maps.Keys(in)) {
		if s.Items != nil {
			j.value(s.Items, in[key], at.key(key), m)
		}
	}
}

func fieldList(s *release.Schema) string {
	if names := s.FieldNames(); len(names) > 0 {
		return strings.Join(names, ", ")
	}
	return "no fields"
}

// kindOf names what a value is, for messages.
func kindOf(v any) string {
	switch v := v.(type) {
	case map[string]any:
		return "a mapping"
	case []any:
		return "a list"
	case string:
		return fmt.Sprintf("the text %q", v)
	case json.Number:
		return v.String()
	default:
		return fmt.Sprint(v)
	}
}
