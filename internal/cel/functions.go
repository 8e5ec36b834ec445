package cel

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/inferstack/inferstack/internal/lists"
	"github.com/inferstack/inferstack/internal/pattern"
)

func equal(a, b any) bool { return reflect.DeepEqual(a, b) }

func within(a, b any) (any, error) {
	switch b := b.(type) {
	case []any:
		return slices.ContainsFunc(b, func(v any) bool { return equal(a, v) }), nil
	case map[string]any:
		key, _ := a.(string)
		_, there := b[key]
		return there, nil
	}
	return nil, fmt.Errorf("%v holds nothing", b)
}

func numbers(operator string, a, b int64) (any, error) {
	switch operator {
	case "<":
		return a < b, nil
	case "<=":
		return a <= b, nil
	case ">":
		return a > b, nil
	case ">=":
		return a >= b, nil
	case "+":
		return a + b, nil
	case "-":
		return a - b, nil
	case "*":
		return a * b, nil
	}
	return nil, fmt.Errorf("the operator %s: %w", operator, ErrUnjudged)
}

func texts(operator, a, b string) (any, error) {
	if operator == "+" {
		return a + b, nil
	}
	return numbers(operator, int64(strings.Compare(a, b)), 0)
}

// called evaluates a function, a method or a macro.
func (s scope) called(e *Expr) (any, error) {
	if e.Kind == Call && e.Text == "has" {
		if len(e.Args) != 1 || e.Args[0].Kind != Select {
			return nil, fmt.Errorf("has asks for a field")
		}
		_, there, err := s.field(e.Args[0])
		return there, err
	}
	if e.Kind == Method && len(e.Args) == 3 && e.Args[1].Kind == Name {
		if of, err := s.eval(e.Args[0]); err != nil {
			return nil, err
		} else if each, ok := items(of); ok {
			return s.macro(e, each)
		}
	}
	args, err := s.all(e.Args)
	if err != nil {
		return nil, err
	}
	switch {
	case e.Text == "size" && len(args) == 1:
		return size(args[0])
	case e.Text == "duration" && len(args) == 1:
		text, _ := args[0].(string)
		return time.ParseDuration(text)
	case e.Kind == Method && len(args) == 2:
		return method(e.Text, args[0], args[1])
	}
	return nil, fmt.Errorf("the function %s: %w", e.Text, ErrUnjudged)
}

// items are what a macro goes over: the items of a list, the keys of a mapping.
func items(of any) ([]any, bool) {
	switch of := of.(type) {
	case []any:
		return of, true
	case map[string]any:
		return lists.Map(slices.Sorted(maps.Keys(of)), func(key string) any { return key }), true
	}
	return nil, false
}

func size(of any) (any, error) {
	if text, ok := of.(string); ok {
		return int64(utf8.RuneCountInString(text)), nil
	}
	if list, ok := items(of); ok {
		return int64(len(list)), nil
	}
	return nil, fmt.Errorf("%v has no size", of)
}

// macro evaluates a condition for each item.
func (s scope) macro(e *Expr, each []any) (any, error) {
	if !slices.Contains([]string{"all", "exists", "exists_one", "filter"}, e.Text) {
		return nil, fmt.Errorf("the macro %s: %w", e.Text, ErrUnjudged)
	}
	var kept []any
	var failed error
	for _, item := range each {
		truth, err := s.with(e.Args[1].Text, item).truth(e.Args[2])
		switch {
		case err != nil:
			failed = err
		case truth && e.Text == "exists", !truth && e.Text == "all":
			return truth, nil // which outweighs the others' mistakes
		case truth:
			kept = append(kept, item)
		}
	}
	if failed != nil {
		return nil, failed
	}
	switch e.Text {
	case "exists_one":
		return len(kept) == 1, nil
	case "filter":
		return kept, nil
	}
	return e.Text == "all", nil
}

func method(name string, of, arg any) (any, error) {
	text, ok := of.(string)
	other, ok2 := arg.(string)
	if !ok || !ok2 {
		return nil, fmt.Errorf("the function %s of %v: %w", name, of, ErrUnjudged)
	}
	switch name {
	case "startsWith":
		return strings.HasPrefix(text, other), nil
	case "endsWith":
		return strings.HasSuffix(text, other), nil
	case "contains":
		return strings.Contains(text, other), nil
	case "split":
		var out []any
		for part := range strings.SplitSeq(text, other) {
			out = append(out, part)
		}
		return out, nil
	case "matches":
		re, err := pattern.Compile(other)
		if err != nil {
			return nil, err
		}
		return re.MatchString(text), nil
	}
	return nil, fmt.Errorf("the function %s: %w", name, ErrUnjudged)
}
