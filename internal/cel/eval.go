package cel

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Unknown is a value that something else fills in later: what depends on it cannot be evaluated.
type Unknown struct{}

// Holds reports whether an expression is true of self, which is made of nil, bool, int64, float64,
// string, []any, map[string]any and Unknown. It errs where the value has not what the expression asks
// for; the error is ErrUnjudged where that is not for this package to say.
func (e *Expr) Holds(self any) (bool, error) {
	v, err := scope{names: []string{"self"}, values: []any{self}}.eval(e)
	if err != nil {
		return false, err
	}
	truth, ok := v.(bool)
	if !ok {
		return false, fmt.Errorf("comes to %v, which is no truth value", v)
	}
	return truth, nil
}

// ErrUnjudged is wrapped by the errors of expressions that use what is not known here, or a value that
// is filled in later.
var ErrUnjudged = errors.New("not known here")

// A scope has the variables, the innermost last.
type scope struct {
	names  []string
	values []any
}

func (s scope) with(name string, value any) scope {
	n := len(s.names)
	return scope{append(s.names[:n:n], name), append(s.values[:n:n], value)}
}

func (s scope) eval(e *Expr) (any, error) {
	v, err := s.raw(e)
	if _, later := v.(Unknown); later && err == nil {
		return nil, fmt.Errorf("a value is filled in later: %w", ErrUnjudged)
	}
	return v, err
}

// raw is eval where a value that is filled in later is a value.
func (s scope) raw(e *Expr) (any, error) {
	switch e.Kind {
	case Literal:
		return literal(e.Text)
	case Name:
		return s.named(e.Text)
	case Select:
		return s.selected(e)
	case Index:
		return s.indexed(e)
	case Operator:
		return s.operated(e)
	case List:
		return s.all(e.Args)
	case Call, Method:
		return s.called(e)
	}
	return nil, fmt.Errorf("maps: %w", ErrUnjudged)
}

func (s scope) all(list []*Expr) ([]any, error) {
	out := make([]any, len(list))
	for i, e := range list {
		v, err := s.eval(e)
		if err != nil {
			return nil, err
		}
		out[i] = v
	}
	return out, nil
}

func (s scope) named(name string) (any, error) {
	switch name {
	case "true":
		return true, nil
	case "false":
		return false, nil
	case "null":
		return nil, nil
	}
	for i := len(s.names) - 1; i >= 0; i-- {
		if s.names[i] == name {
			return s.values[i], nil
		}
	}
	return nil, fmt.Errorf("there is no %s", name)
}

// field is a field of a mapping; names that CEL keeps for itself are written between
// underscores (kubernetes, CRD validation rules: __namespace__).
func (s scope) field(e *Expr) (v any, there bool, err error) {
	of, err := s.eval(e.Args[0])
	if err != nil {
		return nil, false, err
	}
	fields, ok := of.(map[string]any)
	if !ok {
		return nil, false, fmt.Errorf("%v has no fields", of)
	}
	v, there = fields[strings.TrimSuffix(strings.TrimPrefix(e.Text, "__"), "__")]
	return v, there, nil
}

func (s scope) selected(e *Expr) (any, error) {
	v, there, err := s.field(e)
	if err == nil && !there {
		err = fmt.Errorf("there is no %s", e.Text)
	}
	return v, err
}

func (s scope) indexed(e *Expr) (any, error) {
	both, err := s.all(e.Args)
	if err != nil {
		return nil, err
	}
	switch of := both[0].(type) {
	case []any:
		if i, ok := both[1].(int64); ok && 0 <= i && i < int64(len(of)) {
			return of[i], nil
		}
	case map[string]any:
		if key, ok := both[1].(string); ok {
			if v, there := of[key]; there {
				return v, nil
			}
		}
	}
	return nil, fmt.Errorf("there is no [%v]", both[1])
}

// literal is the value of a number or a text.
func literal(text string) (any, error) {
	body := strings.TrimLeft(text, "rR")
	for _, quote := range []string{`"""`, "'''", `"`, "'"} {
		inner, ok := strings.CutPrefix(body, quote)
		if !ok {
			continue
		}
		inner = strings.TrimSuffix(inner, quote)
		if body != text || !strings.Contains(inner, `\`) {
			return inner, nil
		}
		return strconv.Unquote(`"` + strings.ReplaceAll(strings.ReplaceAll(inner, `\'`, "'"), `"`, `\"`) + `"`)
	}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n, nil
	}
	return strconv.ParseFloat(text, 64)
}

func (s scope) operated(e *Expr) (any, error) {
	switch e.Text {
	case "||":
		return s.joined(e, true)
	case "&&":
		return s.joined(e, false)
	case "?":
		truth, err := s.truth(e.Args[0])
		if err != nil {
			return nil, err
		}
		if truth {
			return s.eval(e.Args[1])
		}
		return s.eval(e.Args[2])
	case "!":
		truth, err := s.truth(e.Args[0])
		return !truth, err
	}
	values, err := s.all(e.Args)
	if err != nil {
		return nil, err
	}
	if len(values) == 2 {
		return binary(e.Text, values[0], values[1])
	}
	return binary("-", int64(0), values[0])
}

func (s scope) truth(e *Expr) (bool, error) {
	v, err := s.eval(e)
	truth, ok := v.(bool)
	if err == nil && !ok {
		err = fmt.Errorf("%v is no truth value", v)
	}
	return truth, err
}

// joined is || or &&: one side that decides outweighs a mistake on the other.
func (s scope) joined(e *Expr, decides bool) (any, error) {
	left, err := s.truth(e.Args[0])
	if err == nil && left == decides {
		return decides, nil
	}
	right, other := s.truth(e.Args[1])
	if other == nil && right == decides {
		return decides, nil
	}
	return !decides, errors.Join(err, other)
}

func binary(operator string, a, b any) (any, error) {
	switch operator {
	case "==":
		return equal(a, b), nil
	case "!=":
		return !equal(a, b), nil
	case "in":
		return within(a, b)
	}
	if x, ok := a.(time.Duration); ok {
		a = int64(x)
	}
	if y, ok := b.(time.Duration); ok {
		b = int64(y)
	}
	if x, ok := a.(string); ok {
		if y, ok := b.(string); ok {
			return texts(operator, x, y)
		}
	}
	x, xOK := a.(int64)
	y, yOK := b.(int64)
	if !xOK || !yOK {
		return nil, fmt.Errorf("%v %s %v: %w", a, operator, b, ErrUnjudged)
	}
	return numbers(operator, x, y)
}
