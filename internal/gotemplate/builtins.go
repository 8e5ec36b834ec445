package gotemplate

import (
	"errors"
	"fmt"
	"reflect"
)

// builtins are the functions that every template has, besides and and or: what
// text/template has (funcs.go, Go 1.26).
var builtins = Funcs{
	"not":     Unary(func(v any) bool { return !truth(v) }),
	"len":     length,
	"index":   index,
	"slice":   slice,
	"print":   Variadic(fmt.Sprint),
	"println": Variadic(fmt.Sprintln),
	"printf":  printf,
	"eq":      equalsAny,
	"ne":      compare(func(a, b any) (bool, error) { same, err := equal(a, b); return !same, err }),
	"lt":      compare(before),
	"le":      compare(notAfter),
	"gt":      compare(func(a, b any) (bool, error) { le, err := notAfter(a, b); return !le, err }),
	"ge":      compare(func(a, b any) (bool, error) { lt, err := before(a, b); return !lt, err }),
}

// truth is whether a value is neither zero nor empty.
func truth(v any) bool {
	rv := reflect.ValueOf(v)
	switch rv.Kind() {
	case reflect.Invalid:
		return false
	case reflect.Slice, reflect.Map:
		return rv.Len() > 0
	}
	return !rv.IsZero()
}

func length(args []any) (any, error) {
	if err := count(args, 1); err != nil {
		return nil, err
	}
	v := reflect.ValueOf(args[0])
	switch v.Kind() {
	case reflect.String, reflect.Slice, reflect.Map:
		return v.Len(), nil
	}
	return nil, fmt.Errorf("the length of %s", describe(args[0]))
}

func printf(args []any) (any, error) {
	if len(args) == 0 {
		return nil, errors.New("wants a format")
	}
	format, err := as[string](args[0])
	reserveFormat(format)
	return fmt.Sprintf(format, args[1:]...), err
}

// index goes down keys and positions.
func index(args []any) (any, error) {
	if len(args) == 0 {
		return nil, errors.New("wants a list or map")
	}
	v := args[0]
	if v == nil {
		return nil, errors.New("index of nothing")
	}
	for _, key := range args[1:] {
		rv := reflect.ValueOf(v)
		switch rv.Kind() {
		case reflect.Map:
			v, _ = lookup(rv, key)
			continue
		case reflect.String, reflect.Slice:
		default:
			return nil, fmt.Errorf("index of %s", describe(v))
		}
		i, err := position(key, rv.Len()-1)
		if err != nil {
			return nil, err
		}
		v = rv.Index(i).Interface()
	}
	return v, nil
}

// slice is a part of a string or list, from one position up to another.
func slice(args []any) (any, error) {
	if len(args) == 0 || len(args) > 3 {
		return nil, errors.New("wants a string or list, and two positions at most")
	}
	v := reflect.ValueOf(args[0])
	if v.Kind() != reflect.String && v.Kind() != reflect.Slice {
		return nil, fmt.Errorf("slice of %s", describe(args[0]))
	}
	bounds := [2]int{0, v.Len()}
	for i, arg := range args[1:] {
		var err error
		if bounds[i], err = position(arg, v.Len()); err != nil {
			return nil, err
		}
	}
	if bounds[0] > bounds[1] {
		return nil, fmt.Errorf("slice from %d to %d", bounds[0], bounds[1])
	}
	return v.Slice(bounds[0], bounds[1]).Interface(), nil
}

// position is a whole number up to the greatest.
func position(v any, greatest int) (int, error) {
	i, ok := basic(v).(int64)
	if !ok || i < 0 || i > int64(greatest) {
		return 0, fmt.Errorf("the position %v is not from 0 to %d", v, greatest)
	}
	return int(i), nil
}
