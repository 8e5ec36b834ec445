package gotemplate

import (
	"cmp"
	"fmt"
	"iter"
	"reflect"
	"slices"
	"text/template/parse"
)

// loop is a range. Its variables are set anew for each round.
func (r *run) loop(dot any, n *parse.RangeNode) jump {
	defer r.forget(len(r.vars))
	list := r.pipeline(dot, n.Pipe)
	entries, ok := each(list)
	if !ok {
		r.fail(n.Pipe, "range over %s", describe(list))
	}
	vars, inner := n.Pipe.Decl, len(r.vars)
	if len(vars) > 1 && basic(list) != nil {
		r.fail(n.Pipe, "range over a number has one variable at most")
	}
	empty := true
	for key, v := range entries {
		r.step(n)
		empty = false
		switch len(vars) {
		case 1:
			r.assign(vars[0].Ident[0], v)
		case 2:
			r.assign(vars[0].Ident[0], key)
			r.assign(vars[1].Ident[0], v)
		}
		j := r.walk(v, n.List)
		r.forget(inner)
		if j == leaveLoop {
			break
		}
	}
	if empty && n.ElseList != nil {
		return r.walk(dot, n.ElseList)
	}
	return onward
}

// each goes through a list, a map in the order of its keys, or the numbers below one; it
// is false for anything else.
func each(v any) (iter.Seq2[any, any], bool) {
	rv := reflect.ValueOf(v)
	switch rv.Kind() {
	case reflect.Invalid:
		return func(func(any, any) bool) {}, true
	case reflect.Slice:
		return func(yield func(any, any) bool) {
			for i := 0; i < rv.Len() && yield(i, rv.Index(i).Interface()); i++ {
			}
		}, true
	case reflect.Map:
		keys := rv.MapKeys()
		slices.SortFunc(keys, func(a, b reflect.Value) int { return compareKeys(a.Interface(), b.Interface()) })
		return func(yield func(any, any) bool) {
			for _, k := range keys {
				if !yield(k.Interface(), rv.MapIndex(k).Interface()) {
					return
				}
			}
		}, true
	}
	n, ok := v.(int)
	return func(yield func(any, any) bool) {
		for i := 0; i < n && yield(i, i); i++ {
		}
	}, ok
}

// compareKeys orders keys of one kind by their values, and others by their text.
func compareKeys(a, b any) int {
	if less, err := before(a, b); err == nil {
		if less {
			return -1
		}
		if less, _ = before(b, a); less {
			return 1
		}
		return 0
	}
	return cmp.Compare(fmt.Sprint(a), fmt.Sprint(b))
}
