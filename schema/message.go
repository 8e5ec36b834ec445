package schema

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/internal/model"
)

// complaint says what a value must be, what it is, and the way out.
func (w *walker) complaint(t *model.Type, s scalar, why flaw) string {
	if m := misspelled(t, s); m != "" {
		return m
	}
	switch why {
	case flawLength:
		for i := range t.Alts {
			if a := &t.Alts[i]; a.MinRunes > 0 || a.MaxRunes > 0 {
				return fmt.Sprintf("must have %s (has %d)", span(a.MinRunes, a.MaxRunes, "character"), utf8.RuneCountInString(s.text))
			}
		}
	case flawFormat:
		for i := range t.Alts {
			if m := formatFlaw(t.Alts[i].Format, s.text); m != "" {
				return fmt.Sprintf("must be %s (got %s)", m, got(s.node))
			}
		}
	}
	return fmt.Sprintf("must be %s (got %s)%s", expectation(t, s), got(s.node), suggestion(t, s))
}

// misspelled explains a value that would do if it were spelled as another type.
func misspelled(t *model.Type, s scalar) string {
	b := t.Basics()
	switch {
	case b&model.String != 0 && s.basic&b == 0 && s.basic != model.String && !allValues(t):
		return fmt.Sprintf("must be a string; quote it: %q (got %s)", s.node.Value, gotWithType(s))
	case b == model.Bool && s.word:
		return fmt.Sprintf("must be true or false (got %s)", s.node.Value)
	case b == model.Bool && s.basic == model.String && (s.text == "true" || s.text == "false"):
		return fmt.Sprintf("must be true or false; remove the quotes (got %q)", s.text)
	case b&model.String == 0 && b&model.Int != 0 && s.basic == model.String && isNumber(s.text):
		return fmt.Sprintf("must be %s; remove the quotes (got %q)", expectation(t, s), s.text)
	}
	return ""
}

func isNumber(s string) bool {
	_, err := strconv.ParseFloat(s, 64)
	return err == nil
}

func allValues(t *model.Type) bool {
	for i := range t.Alts {
		if len(t.Alts[i].Values) == 0 {
			return false
		}
	}
	return true
}

// suggestion is the allowed value that a wrong one resembles.
func suggestion(t *model.Type, s scalar) string {
	if s.basic != model.String || s.text == "" {
		return ""
	}
	var known []string
	for i := range t.Alts {
		for _, v := range t.Alts[i].Values {
			if v, ok := v.(string); ok {
				known = append(known, v)
			}
		}
	}
	if guess := near(s.text, known); guess != "" {
		return fmt.Sprintf("; did you mean %q?", guess)
	}
	return ""
}

// expectation says what a type accepts; of several alternatives, those that go
// with the value when there are some.
func expectation(t *model.Type, s scalar) string {
	var parts []string
	for _, onlySame := range []bool{true, false} {
		for i := range t.Alts {
			if a := &t.Alts[i]; !onlySame || len(t.Alts) > 1 && len(a.Values) == 0 && a.Basic&s.basic != 0 {
				parts = append(parts, altWords(a))
			}
		}
		if len(parts) > 0 {
			break
		}
	}
	return strings.Join(parts, " or ")
}

func altWords(a *model.Alt) string {
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
		kinds = append(kinds, "a number"+rangeWords(a))
	case a.Basic&model.Int != 0:
		kinds = append(kinds, "an integer"+rangeWords(a))
	}
	if a.Basic&model.Bool != 0 {
		kinds = append(kinds, "true or false")
	}
	return strings.Join(kinds, ", or ")
}

func valueWords(values []any) string {
	words := make([]string, len(values))
	for i, v := range values {
		words[i] = fmt.Sprint(v)
	}
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

func rangeWords(a *model.Alt) string {
	low, high := a.Min, a.Max
	if a.Basic == model.Int && !a.Wide {
		if low.Set && !high.Set && low.At >= 0 && low.At < 2 {
			return " of at least " + formatFloat(low.At)
		}
		if !low.Set && !high.Set {
			return ""
		}
		if !high.Set {
			high = model.Bound{Set: true, At: math.MaxInt32}
		}
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

// got shows a value in a message: shortened, and never a secret.
func got(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode, yaml.SequenceNode:
		return kindWords[n.Kind]
	}
	s := redact(n.Value)
	if r := []rune(s); len(r) > 60 {
		s = string(r[:57]) + "..."
	}
	if n.ShortTag() == "!!str" {
		return strconv.Quote(s)
	}
	if s == "" {
		return "nothing"
	}
	return s
}

func gotWithType(s scalar) string {
	switch s.node.ShortTag() {
	case "!!bool":
		return "the boolean " + got(s.node)
	case "!!timestamp":
		return "the date " + got(s.node)
	}
	return "the number " + got(s.node)
}

// raw is the value for Problem.Value.
func raw(n *yaml.Node) any {
	if n.Kind != yaml.ScalarNode {
		return nil
	}
	switch n.ShortTag() {
	case "!!bool":
		return boolean(n)
	case "!!int", "!!float":
		if i, ok := integer(n); ok {
			return i
		}
		if f, ok := float(n); ok && !math.IsNaN(f) && !math.IsInf(f, 0) {
			return f
		}
	}
	return redact(n.Value)
}
