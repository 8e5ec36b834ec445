package eppconfig

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/inferstack/inferstack/release"
)

// scalar judges what is not an object and no list: first its type, then its value.
func (j *judge) scalar(s *release.Schema, v any, at path, m mode) {
	if want := wrongType(s.Type, v); want != "" {
		j.add(at, "must be %s (got %s)", want, kindOf(v))
		return
	}
	j.restrict(s, v, at, m)
}

// wrongType says what a value should be when it is not.
func wrongType(want string, v any) string {
	number, isNumber := v.(json.Number)
	text, isString := v.(string)
	_, isBool := v.(bool)
	switch want {
	case release.TypeInt:
		if !isNumber {
			return "a whole number, without quotes"
		}
		if _, err := strconv.ParseInt(number.String(), 10, 64); err != nil {
			return "a whole number"
		}
	case release.TypeNanoseconds:
		if !isNumber {
			return "a whole number of nanoseconds: this field takes no duration such as 5m"
		}
		if _, err := strconv.ParseInt(number.String(), 10, 64); err != nil {
			return "a whole number of nanoseconds"
		}
	case release.TypeFloat:
		if !isNumber {
			return "a number, without quotes"
		}
		if _, err := number.Float64(); err != nil {
			return "a number"
		}
	case release.TypeBool:
		if !isBool {
			return "true or false, without quotes"
		}
	case release.TypeString:
		if !isString {
			return "a text; put it in quotes"
		}
	case release.TypeDurationText:
		if !isString {
			return "a duration in quotes, such as \"5s\""
		}
	case release.TypeDuration:
		if _, err := time.ParseDuration(text); !isString || err != nil {
			return "a duration with a unit, such as 500ms, 30s or 1h30m"
		}
	case release.TypeQuantity:
		if _, ok := quantity(v); !ok {
			return "a quantity, such as 5000, 512Mi or 10G"
		}
	}
	return ""
}

// quantity reads a Kubernetes quantity, which may be a number or a text.
func quantity(v any) (int64, bool) {
	switch v.(type) {
	case json.Number, string:
	default:
		return 0, false
	}
	q, err := resource.ParseQuantity(strings.TrimSpace(fmt.Sprint(v)))
	return q.Value(), err == nil
}

// restrict judges the value of what has the right type.
func (j *judge) restrict(s *release.Schema, v any, at path, m mode) {
	if s.Deprecated != "" {
		j.warn(at, "is deprecated; use %s", s.Deprecated)
	}
	if s.Unused && !isZero(v) {
		j.warn(at, "is taken and has no effect")
	}
	if m.typesOnly {
		return
	}
	j.text(s, v, at)
	j.number(s, v, at)
}

func (j *judge) text(s *release.Schema, v any, at path) {
	text := fmt.Sprint(v)
	_, isString := v.(string)
	trimmed := text
	if s.Trimmed {
		trimmed = strings.TrimSpace(text)
	}
	switch {
	case (s.Required || s.NotEmpty) && isString && trimmed == "":
		j.add(at, "must not be empty")
	case len(s.Enum) > 0 && !slices.Contains(s.Enum, folded(text, s.Fold)) && s.EnumFrom == "":
		j.add(at, "must be %s (got %s)", alternatives(s.Enum), kindOf(v)).near(text, s.Enum)
	case slices.Contains(s.Not, text):
		j.add(at, "must not be %s", text)
	case s.Type == release.TypeDurationText && text != "":
		if _, err := time.ParseDuration(text); err != nil {
			j.add(at, "must be a duration with a unit, such as 500ms or 5s (got %s)", kindOf(v))
		}
	}
	if problem := misformed(s.Form, text); isString && problem != "" {
		j.add(at, "%s", problem)
	}
}

func folded(text string, fold bool) string {
	if !fold {
		return text
	}
	bare := strings.NewReplacer("-", "", "_", "").Replace(strings.ToLower(text))
	switch bare {
	case "decodefirst", "prefillfirst":
		return strings.TrimSuffix(bare, "first") + "-first"
	}
	return bare
}

func alternatives(values []string) string {
	shown := slices.DeleteFunc(slices.Clone(values), func(s string) bool { return s == "" })
	if len(shown) == 0 {
		return "left out"
	}
	if len(shown) == 1 {
		return shown[0]
	}
	return strings.Join(shown[:len(shown)-1], ", ") + " or " + shown[len(shown)-1]
}

// number judges the range of a number, a quantity or a duration.
func (j *judge) number(s *release.Schema, v any, at path) {
	if s.Min == nil && s.Max == nil && s.Above == nil && s.Below == nil {
		return
	}
	n, ok := amount(s.Type, v)
	if !ok || slices.Contains(s.Also, n) || inRange(s, n) {
		return
	}
	if s.Soft {
		j.warn(at, "must be %s; the EPP takes %v instead", rangeText(s), s.Default)
		return
	}
	j.add(at, "must be %s (got %v)", rangeText(s), v)
}

// amount is a value as a number, durations in seconds.
func amount(kind string, v any) (float64, bool) {
	switch v := v.(type) {
	case json.Number:
		if n, ok := quantity(v); kind == release.TypeQuantity && ok {
			return float64(n), true
		}
		n, err := v.Float64()
		return n, err == nil
	case float64:
		return v, true
	case string:
		if n, ok := quantity(v); kind == release.TypeQuantity && ok {
			return float64(n), true
		}
		d, err := time.ParseDuration(v)
		return d.Seconds(), err == nil
	default:
		return 0, false
	}
}

func inRange(s *release.Schema, n float64) bool {
	return (s.Min == nil || n >= *s.Min) && (s.Max == nil || n <= *s.Max) && (s.Above == nil || n > *s.Above) && (s.Below == nil || n < *s.Below)
}

func rangeText(s *release.Schema) string {
	var parts []string
	for _, bound := range []struct {
		at   *float64
		word string
	}{{s.Min, "at least"}, {s.Above, "more than"}, {s.Max, "at most"}, {s.Below, "less than"}} {
		if bound.at != nil {
			parts = append(parts, bound.word+" "+strconv.FormatFloat(*bound.at, 'f', -1, 64))
		}
	}
	text := strings.Join(parts, " and ")
	if s.Unit != "" {
		text += " " + s.Unit
	}
	for _, other := range s.Also {
		text += fmt.Sprintf(", or %v", other)
	}
	return text
}

func isZero(v any) bool {
	switch v := v.(type) {
	case string:
		return v == ""
	case bool:
		return !v
	case json.Number:
		return v.String() == "0"
	default:
		return v == nil
	}
}

func contains(list []string, s string) bool { return slices.Contains(list, s) }
