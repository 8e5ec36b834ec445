package eppconfig

import (
	"fmt"
	"slices"
	"strings"

	"github.com/inferstack/inferstack/internal/sorted"
	"github.com/inferstack/inferstack/release"
)

// fields looks a field of an object up; ok reports whether it is there and not null. What is
// not there has its default.
type fields func(name string) (value any, ok bool)

func lookup(s *release.Schema, in map[string]any, m mode) fields {
	return func(name string) (any, bool) {
		for key, value := range in {
			if known, ok := fieldOf(s, key, m); ok && known == name && value != nil {
				return value, true
			}
		}
		if field := s.Fields.Get(name); field != nil {
			return field.Default, false
		}
		return nil, false
	}
}

// lookupText is a field that is a text, or "".
func lookupText(s *release.Schema, in map[string]any, name string, m mode) string {
	if name == "" {
		return ""
	}
	v, _ := lookup(s, in, m)(name)
	text, _ := v.(string)
	return text
}

// rules judges what holds between the fields of an object.
func (j *judge) rules(rules []release.SchemaRule, s *release.Schema, get fields, at path, m mode) {
	for _, r := range rules {
		if !all(r.If, get) {
			continue
		}
		for name, then := range r.Then.All() {
			value, given := get(name)
			if given || then.Required {
				where := at.key(name)
				if !given {
					value = nil
				}
				j.condition(then, s.Fields.Get(name), value, where, m)
			}
		}
		j.count(r, get, at)
		j.order(r, s, get, at)
	}
}

// condition judges a value by what is asked of it under a condition.
func (j *judge) condition(then, field *release.Schema, v any, at path, m mode) {
	merged := *then
	if field != nil && merged.Type == "" {
		merged.Type = field.Type
	}
	if field != nil && merged.Default == nil {
		merged.Default = field.Default
	}
	switch in := v.(type) {
	case map[string]any:
		get := lookup(field, in, m)
		for name, inner := range then.Fields.All() {
			value, given := get(name)
			if !given {
				value = nil
			}
			if given || inner.Required {
				j.condition(inner, field.Fields.Get(name), value, at.key(name), m)
			}
		}
		j.rules(then.Rules, field, get, at, m)
	case []any:
		for i, item := range in {
			if then.Items != nil && field.Items != nil {
				j.condition(then.Items, field.Items, item, at.index(i), m)
			}
		}
		j.restrictList(&merged, in, at)
	case nil:
		if then.Required {
			j.add(at, "is required")
		}
	default:
		if wrongType(merged.Type, v) == "" {
			j.text(&merged, v, at)
			j.number(&merged, v, at)
		}
	}
}

// count judges how many of some fields are there.
func (j *judge) count(r release.SchemaRule, get fields, at path) {
	given := func(names []string) int {
		n := 0
		for _, name := range names {
			if v, ok := get(name); ok && v != "" {
				n++
			}
		}
		return n
	}
	if n := given(r.ExactlyOne); len(r.ExactlyOne) > 0 && n != 1 {
		j.add(at, "needs exactly one of %s (got %d)", strings.Join(r.ExactlyOne, ", "), n)
	}
	if n := given(r.AtMostOne); n > 1 {
		j.add(at, "takes only one of %s", strings.Join(r.AtMostOne, ", "))
	}
	if len(r.AtLeastOne) > 0 && given(r.AtLeastOne) == 0 {
		j.add(at, "needs one of %s", strings.Join(r.AtLeastOne, ", "))
	}
}

// order judges fields that grow.
func (j *judge) order(r release.SchemaRule, s *release.Schema, get fields, at path) {
	compare := func(names []string, strictly bool) {
		for i := 0; i+1 < len(names); i++ {
			low, lowGiven := get(names[i])
			high, highGiven := get(names[i+1])
			a, ok := amount(s.Fields.Get(names[i]).Type, low)
			b, known := amount(s.Fields.Get(names[i+1]).Type, high)
			if ok && known && (lowGiven || highGiven || strictly) && (a > b || strictly && a == b) {
				than := map[bool]string{true: "less than", false: "at most"}[strictly]
				j.add(at.key(names[i]), "must be %s %s (got %v and %v)", than, names[i+1], low, high)
			}
		}
	}
	compare(r.Rising, true)
	compare(r.NotFalling, false)
}

func all(conditions sorted.Map[*release.Schema], get fields) bool {
	for name, want := range conditions.All() {
		value, given := get(name)
		if !matches(want, value, given) {
			return false
		}
	}
	return true
}

func fieldsMatch(want *release.Schema, v map[string]any) bool {
	for name, inner := range want.Fields.All() {
		if !matches(inner, v[name], v[name] != nil) {
			return false
		}
	}
	return true
}

// matches reports whether a value meets a condition.
func matches(want *release.Schema, v any, given bool) bool {
	if want.Present != nil && *want.Present != given {
		return false
	}
	switch v := v.(type) {
	case []any: // one of the items is enough
		return slices.ContainsFunc(v, func(item any) bool { return want.Items == nil || matches(want.Items, item, true) })
	case map[string]any:
		return fieldsMatch(want, v)
	case nil:
		if len(want.Fields) > 0 {
			return fieldsMatch(want, nil)
		}
	}
	if len(want.Not) > 0 && (!given || contains(want.Not, fmt.Sprint(v))) {
		return false
	}
	if len(want.Enum) > 0 && !contains(want.Enum, folded(fmt.Sprint(v), want.Fold)) {
		return false
	}
	if want.Above != nil || want.Min != nil || want.Max != nil || want.Below != nil {
		n, ok := amount("", v)
		return ok && inRange(want, n)
	}
	return true
}
