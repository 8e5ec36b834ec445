package document

import (
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/internal/model"
	"github.com/inferstack/inferstack/internal/near"
	"github.com/inferstack/inferstack/internal/untrusted"
)

// complaint says what a value must be, what it is, and the way out.
func (w *walker) complaint(t *model.Type, s scalar, why flaw) string {
	if m := w.misspelled(t, s); m != "" {
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
			if m := FormatFlaw(t.Alts[i].Format, s.text); m != "" {
				return fmt.Sprintf("must be %s (got %s)", m, got(s.node))
			}
		}
	}
	return fmt.Sprintf("must be %s (got %s)%s", expectation(t, s), got(s.node), suggestion(t, s))
}

// misspelled explains a value that would do if it were spelled as another type.
func (w *walker) misspelled(t *model.Type, s scalar) string {
	b := t.Basics()
	switch {
	case w.quotable(t, s):
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

// quotable reports whether a value that is not a string would do as one. A number that
// is out of a range does not become right by quotes.
func (w *walker) quotable(t *model.Type, s scalar) bool {
	number := s.basic&(model.Int|model.Number) != 0
	if s.basic == model.String || s.basic&t.Basics() != 0 || number && t.Basics()&model.Int != 0 {
		return false
	}
	ok, _ := w.fits(t, scalar{node: s.node, basic: model.String, text: s.node.Value})
	return ok
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
	if guess := near.Of(s.text, known); guess != "" {
		return fmt.Sprintf("; did you mean %q?", guess)
	}
	return ""
}

// got shows a value in a message: shortened, and never a secret.
func got(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode, yaml.SequenceNode:
		return kindWords(n.Kind)
	}
	s := untrusted.Redact(n.Value)
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
	return untrusted.Redact(n.Value)
}
