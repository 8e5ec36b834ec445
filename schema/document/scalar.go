package document

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/internal/model"
	"github.com/inferstack/inferstack/internal/pattern"
)

// A scalar is what a node says, in one spelling.
type scalar struct {
	node  *yaml.Node
	basic model.Basic // Int for every number without fraction; 0 for what is none of the types
	text  string      // of a string, or the numeral of a number
	num   float64
	word  bool // a bare word that YAML 1.1 takes for a boolean
}

func scalarOf(n *yaml.Node) scalar {
	s := scalar{node: n, text: n.Value}
	switch n.ShortTag() {
	case "!!str":
		s.basic = model.String
		s.word = n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle|yaml.TaggedStyle) == 0 && yaml11Word(n.Value)
	case "!!bool":
		s.basic = model.Bool
		s.text = strconv.FormatBool(boolean(n))
	case "!!int", "!!float":
		text, ok := numeral(n)
		if !ok {
			return s
		}
		s.text = text
		s.basic = model.Number
		if i, ok := integer(n); ok {
			s.basic, s.num = model.Int, float64(i)
		} else {
			s.num, _ = float(n)
		}
	}
	return s
}

// yaml11Word lists the booleans of YAML 1.1 that YAML 1.2 reads as strings
// (yaml.org/type/bool.html).
func yaml11Word(s string) bool {
	switch strings.ToLower(s) {
	case "y", "n", "yes", "no", "on", "off":
		return true
	}
	return false
}

func boolean(n *yaml.Node) bool { return strings.EqualFold(n.Value, "true") }

// scalar checks a single value and writes it.
func (w *walker) scalar(t *model.Type, p *place) bool {
	n := resolve(p.node)
	if n.Kind != yaml.ScalarNode {
		w.problem(p, nil, "must be %s (got %s)", expectation(t, scalar{}), got(n))
		return false
	}
	s := w.normal(t, scalarOf(n))
	ok, why := w.fits(t, s)
	switch {
	case !ok:
		w.problem(p, raw(n), "%s", w.complaint(t, s, why))
		return false
	case s.word && !w.plain:
		w.problem(p, n.Value, "quote it: %q; YAML 1.1 readers take the bare word for a boolean", n.Value)
		return false
	}
	if n.ShortTag() == "!!int" && !w.plain && t != &int32Model && pattern.Matches(leadingZero, n.Value) {
		decimal := strings.TrimLeft(strings.ReplaceAll(n.Value, "_", ""), "+-0")
		w.problem(p, n.Value, "write it without the zero in front: %s is %s to a reader of YAML 1.1 and %s to one of YAML 1.2", n.Value, s.text, decimal)
		return false
	}
	w.writeScalar(t, s)
	return true
}

// leadingZero is a number that YAML 1.1 reads as octal and YAML 1.2 as decimal (yaml.org/type/int.html).
// Modes of files are written so in Kubernetes, whose own reader has the octal.
const leadingZero = `^[-+]?0[0-7_]+$`

// normal gives a value the type the field prefers: "8000" where a number is as
// good as a string is the number.
func (w *walker) normal(t *model.Type, s scalar) scalar {
	if !w.plain && s.basic == model.String && t.Basics() == model.Int|model.String && plainDecimal(s.text) {
		if i, err := strconv.ParseInt(s.text, 10, 32); err == nil {
			s.basic, s.num = model.Int, float64(i)
		}
	}
	return s
}

// fits reports whether some alternative accepts the value, else what the closest one
// has against it.
func (w *walker) fits(t *model.Type, s scalar) (bool, flaw) {
	closest := flawType
	for i := range t.Alts {
		f := w.flaw(&t.Alts[i], s)
		if f == flawNone {
			return true, f
		}
		closest = max(closest, f)
	}
	return false, closest
}

// A flaw is what an alternative has against a value; a later one is less wrong.
type flaw int

const (
	flawType flaw = iota
	flawValue
	flawRange
	flawPattern
	flawFormat
	flawLength
	flawNone
)

func (w *walker) flaw(a *model.Alt, s scalar) flaw {
	switch {
	case s.basic&a.Basic == 0:
		return flawType
	case len(a.Values) > 0 && !contains(a.Values, s) || contains(a.Not, s):
		return flawValue
	case s.basic&(model.Int|model.Number) != 0 && !w.inRange(a, s):
		return flawRange
	case s.basic == model.String:
		if f := stringFlaw(a, s.text); f != flawNone {
			return f
		}
	}
	if a.Format != "" && !w.plain && FormatFlaw(a.Format, s.text) != "" {
		return flawFormat
	}
	return flawNone
}

func stringFlaw(a *model.Alt, s string) flaw {
	for _, p := range a.Patterns {
		if pattern.Matches(p.Expr, s) == p.Negate {
			return flawPattern
		}
	}
	if n := utf8.RuneCountInString(s); n < a.MinRunes || a.MaxRunes > 0 && n > a.MaxRunes {
		return flawLength
	}
	return flawNone
}

func (w *walker) inRange(a *model.Alt, s scalar) bool {
	if s.basic == model.Int && a.Basic == model.Int && !a.Wide && a.Format == "" && !w.plain && (s.num > math.MaxInt32 || s.num < math.MinInt32) {
		return false
	}
	low := !a.Min.Set || s.num > a.Min.At || s.num == a.Min.At && !a.Min.Open
	high := !a.Max.Set || s.num < a.Max.At || s.num == a.Max.At && !a.Max.Open
	return low && high
}

func contains(values []any, s scalar) bool {
	for _, v := range values {
		switch v := v.(type) {
		case string:
			if s.basic == model.String && s.text == v {
				return true
			}
		case bool:
			if s.basic == model.Bool && s.text == strconv.FormatBool(v) {
				return true
			}
		case int64:
			if s.basic == model.Int && s.num == float64(v) {
				return true
			}
		case float64:
			if s.basic == model.Number && s.num == v {
				return true
			}
		}
	}
	return false
}

func (w *walker) writeScalar(t *model.Type, s scalar) {
	switch {
	case t.Alts[0].Format == "quantity" && !w.plain:
		w.str(canonicalQuantity(s.text))
	case s.basic == model.String:
		w.str(s.text)
	default:
		w.out = append(w.out, s.text...)
	}
}
