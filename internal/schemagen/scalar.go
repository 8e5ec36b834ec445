package main

import (
	"errors"
	"reflect"
	"slices"

	"cuelang.org/go/cue/literal"
	"github.com/cockroachdb/apd/v3"

	"github.com/inferstack/inferstack/internal/model"
)

func scalar(alts ...model.Alt) *model.Type { return &model.Type{Kind: model.Scalar, Alts: alts} }

func literalType(v any) *model.Type {
	if v == nil {
		return nil
	}
	return scalar(model.Alt{Basic: basicOf(v), Values: []any{v}})
}

func basicOf(v any) model.Basic {
	switch v.(type) {
	case string:
		return model.String
	case int64:
		return model.Int
	case float64:
		return model.Number
	}
	return model.Bool
}

// both is the conjunction of two types.
func both(x, y *model.Type) (*model.Type, error) {
	switch {
	case x.Kind == model.List && y.Kind == model.List && (x.Elem == nil || y.Elem == nil):
		t := &model.Type{Kind: model.List, Elem: x.Elem, MinItems: max(x.MinItems, y.MinItems), MaxItems: least(x.MaxItems, y.MaxItems)}
		if t.Elem == nil {
			t.Elem = y.Elem
		}
		return t, nil
	case x.Kind != model.Scalar || y.Kind != model.Scalar:
		return nil, errors.New("only scalars, and a list with its limits, can be combined by &")
	}
	out := scalar()
	for _, a := range x.Alts {
		for _, b := range y.Alts {
			if alt, ok := meet(a, b); ok {
				out.Alts = append(out.Alts, alt)
			}
		}
	}
	if len(out.Alts) == 0 {
		return nil, errors.New("no value satisfies both sides")
	}
	return out, nil
}

// meet is the conjunction of two alternatives, if anything is in both.
func meet(a, b model.Alt) (model.Alt, bool) {
	out := model.Alt{
		Basic:    a.Basic & b.Basic,
		Values:   a.Values,
		Not:      slices.Concat(a.Not, b.Not),
		Patterns: slices.Concat(a.Patterns, b.Patterns),
		Min:      tighter(a.Min, b.Min, 1), Max: tighter(a.Max, b.Max, -1),
		MinRunes: max(a.MinRunes, b.MinRunes), MaxRunes: least(a.MaxRunes, b.MaxRunes),
		Format: a.Format + b.Format,
	}
	if a.Format == b.Format {
		out.Format = a.Format
	}
	if out.Basic == 0 {
		return out, false
	}
	if len(b.Values) > 0 {
		if len(a.Values) > 0 {
			return out, false
		}
		out.Values = b.Values
	}
	return out, true
}

func tighter(a, b model.Bound, sign float64) model.Bound {
	switch {
	case !a.Set:
		return b
	case !b.Set, sign*a.At > sign*b.At, a.At == b.At && a.Open:
		return a
	}
	return b
}

// least is the smaller of two limits, of which 0 is none.
func least(a, b int) int {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}

// either is the disjunction of two types; x may be nil.
func either(x, y *model.Type) (*model.Type, error) {
	if x == nil {
		return y, nil
	}
	if x.Kind != model.Scalar || y.Kind != model.Scalar {
		return nil, errors.New("only scalars can be alternatives")
	}
	out := scalar(slices.Clone(x.Alts)...)
	for _, b := range y.Alts {
		out.Alts = addAlt(out.Alts, b)
	}
	return out, nil
}

// addAlt appends an alternative, folding values into one list and bare types
// into one set.
func addAlt(alts []model.Alt, b model.Alt) []model.Alt {
	for i := range alts {
		a := &alts[i]
		switch {
		case len(a.Values) > 0 && len(b.Values) > 0:
			a.Basic |= b.Basic
			a.Values = slices.Concat(a.Values, b.Values)
			return alts
		case bare(*a) && bare(b):
			a.Basic |= b.Basic
			return alts
		}
	}
	return append(alts, b)
}

func bare(a model.Alt) bool {
	return reflect.DeepEqual(a, model.Alt{Basic: a.Basic})
}

// withDefault adds the marked default to the values a type accepts, unless some
// other alternative of the same basic type stands for it already. That it is a
// member of that alternative is for the consistency test to say, with the
// schema's own checker.
func withDefault(t *model.Type, def any) *model.Type {
	if _, isList := def.([]any); isList {
		return t
	}
	if t == nil {
		return literalType(def)
	}
	b := basicOf(def)
	for i := range t.Alts {
		if a := &t.Alts[i]; len(a.Values) == 0 && a.Basic&b != 0 {
			return t
		}
	}
	out := scalar(slices.Clone(t.Alts)...)
	for i := range out.Alts {
		if a := &out.Alts[i]; len(a.Values) > 0 {
			a.Values = slices.Concat([]any{def}, a.Values)
			a.Basic |= b
			return out
		}
	}
	out.Alts = append([]model.Alt{{Basic: b, Values: []any{def}}}, out.Alts...)
	return out
}

// number is a CUE number as int64 or float64.
func number(n *literal.NumInfo) (any, error) {
	var d apd.Decimal
	if err := n.Decimal(&d); err != nil {
		return nil, err
	}
	if n.IsInt() {
		return d.Int64()
	}
	return d.Float64()
}

func toFloat(v any) (float64, bool) {
	switch v := v.(type) {
	case int64:
		return float64(v), true
	case float64:
		return v, true
	}
	return 0, false
}

func clone(t *model.Type) *model.Type {
	out := *t
	out.Alts = slices.Clone(t.Alts)
	for i := range out.Alts {
		out.Alts[i].Patterns = slices.Clone(out.Alts[i].Patterns)
	}
	return &out
}
