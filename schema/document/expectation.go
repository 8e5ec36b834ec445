package document

import (
	"fmt"
	"math"
	"strings"

	"github.com/inferstack/inferstack/internal/lists"
	"github.com/inferstack/inferstack/internal/model"
)

// expectation says what a type accepts; of several alternatives, those that go
// with the value when there are some.
func expectation(t *model.Type, s scalar) string {
	var parts []string
	for _, onlySame := range []bool{true, false} {
		for i := range t.Alts {
			if a := &t.Alts[i]; !onlySame || len(t.Alts) > 1 && len(a.Values) == 0 && a.Basic&s.basic != 0 {
				parts = append(parts, altWords(a, s))
			}
		}
		if len(parts) > 0 {
			break
		}
	}
	return strings.Join(parts, " or ")
}

func altWords(a *model.Alt, s scalar) string {
	if len(a.Values) > 0 {
		return valueWords(a.Values)
	}
	for _, p := range a.Patterns {
		if p.Msg != "" {
			return p.Msg
		}
	}
	if m := formatWords(a.Format); m != "" {
		return m
	}
	var kinds []string
	if a.Basic&model.String != 0 {
		kinds = append(kinds, stringWords(a))
	}
	switch {
	case a.Basic&model.Number != 0:
		kinds = append(kinds, "a number"+rangeWords(a, s))
	case a.Basic&model.Int != 0:
		kinds = append(kinds, "an integer"+rangeWords(a, s))
	}
	if a.Basic&model.Bool != 0 {
		kinds = append(kinds, "true or false")
	}
	return strings.Join(kinds, ", or ")
}

func valueWords(values []any) string {
	words := lists.Map(values, func(v any) string { return fmt.Sprint(v) })
	if len(words) == 1 {
		return words[0]
	}
	return "one of " + strings.Join(words, ", ")
}

func stringWords(a *model.Alt) string {
	s := "a string"
	for i, p := range a.Patterns {
		s += [2]string{" that matches ", " and "}[min(i, 1)]
		if p.Negate {
			s += "not "
		}
		s += p.Expr
	}
	for _, v := range a.Not {
		s += fmt.Sprintf(" other than %q", v)
	}
	if a.MinRunes > 0 || a.MaxRunes > 0 {
		s += " of " + span(a.MinRunes, a.MaxRunes, "character")
	}
	return s
}

func rangeWords(a *model.Alt, s scalar) string {
	low, high := a.Min, a.Max
	if a.Basic == model.Int && !a.Wide && !high.Set && s.num > math.MaxInt32 {
		high = model.Bound{Set: true, At: math.MaxInt32}
	}
	if a.Basic == model.Int && !a.Wide && !low.Set && s.num < math.MinInt32 {
		low = model.Bound{Set: true, At: math.MinInt32}
	}
	switch {
	case low.Set && high.Set && !low.Open && !high.Open:
		return " from " + formatFloat(low.At) + " to " + formatFloat(high.At)
	case low.Set && high.Set:
		return boundWords(low, " greater than ", " of at least ") + boundWords(high, " and less than ", " and at most ")
	case low.Set:
		return boundWords(low, " greater than ", " of at least ")
	case high.Set:
		return boundWords(high, " less than ", " of at most ")
	}
	return ""
}

func boundWords(b model.Bound, open, closed string) string {
	if b.Open {
		return open + formatFloat(b.At)
	}
	return closed + formatFloat(b.At)
}

// span says how many things there may be; most is 0 for no limit.
func span(least, most int, thing string) string {
	switch {
	case least == most:
		return plural(least, thing)
	case most == 0:
		return "at least " + plural(least, thing)
	case least == 0:
		return "at most " + plural(most, thing)
	}
	return fmt.Sprintf("%d to %s", least, plural(most, thing))
}

func plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
