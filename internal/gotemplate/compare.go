package gotemplate

import (
	"errors"
	"fmt"
	"math"
	"reflect"
)

func compare(f func(a, b any) (bool, error)) Func {
	return func(args []any) (any, error) {
		if err := count(args, 2); err != nil {
			return nil, err
		}
		return f(args[0], args[1])
	}
}

// equalsAny is whether the first argument equals one of the others.
func equalsAny(args []any) (any, error) {
	if len(args) < 2 {
		return nil, errors.New("wants two arguments or more")
	}
	for _, other := range args[1:] {
		if same, err := equal(args[0], other); same || err != nil {
			return same, err
		}
	}
	return false, nil
}

// basic is a boolean, string, int64, float64, or uint64 beyond the greatest int64; nil for
// anything else.
func basic(v any) any {
	rv := reflect.ValueOf(v)
	switch {
	case rv.Kind() == reflect.Bool:
		return rv.Bool()
	case rv.Kind() == reflect.String:
		return rv.String()
	case rv.CanInt():
		return rv.Int()
	case rv.CanFloat():
		return rv.Float()
	case rv.CanUint() && rv.Uint() <= math.MaxInt64:
		return int64(rv.Uint())
	case rv.CanUint():
		return rv.Uint()
	}
	return nil
}

// equal compares values of one kind; a value that is not there equals only another one.
func equal(a, b any) (bool, error) {
	if a == nil || b == nil {
		return a == nil && b == nil, nil
	}
	x, y := basic(a), basic(b)
	if x == nil || y == nil || reflect.TypeOf(x) != reflect.TypeOf(y) && (!whole(x) || !whole(y)) {
		return false, incomparable(a, b)
	}
	return x == y, nil
}

// before is whether a number or string is less than another.
func before(a, b any) (bool, error) {
	switch x := basic(a).(type) {
	case int64:
		switch y := basic(b).(type) {
		case int64:
			return x < y, nil
		case uint64:
			return true, nil
		}
	case uint64:
		switch y := basic(b).(type) {
		case int64:
			return false, nil
		case uint64:
			return x < y, nil
		}
	case float64:
		if y, ok := basic(b).(float64); ok {
			return x < y, nil
		}
	case string:
		if y, ok := basic(b).(string); ok {
			return x < y, nil
		}
	}
	return false, incomparable(a, b)
}

func notAfter(a, b any) (bool, error) {
	less, err := before(a, b)
	if less || err != nil {
		return less, err
	}
	return equal(a, b)
}

func whole(v any) bool {
	switch v.(type) {
	case int64, uint64:
		return true
	}
	return false
}

func incomparable(a, b any) error {
	return fmt.Errorf("compares %s with %s", describe(a), describe(b))
}
