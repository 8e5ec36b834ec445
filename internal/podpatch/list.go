package podpatch

import (
	"fmt"
	"reflect"
	"slices"
)

// A list is one that is there already, and its patch.
type list struct {
	old, patch []any
	without    bool // the patch names what to take out
}

// merge merges the list of a field of type t.
func (l list) merge(name string, t reflect.Type) (any, error) {
	f, err := lookUp(t, name)
	if err != nil {
		return nil, err
	}
	if f.strategy != "merge" && !l.without {
		return l.patch, nil
	}
	if len(l.old) == 0 && len(l.patch) == 0 {
		return l.old, nil
	}
	kind, err := elementKind(name, slices.Concat(l.old, l.patch))
	switch {
	case err != nil:
		return nil, err
	case kind == reflect.Map && f.key == "":
		return nil, fmt.Errorf("%s: its entries cannot be told apart", name)
	case kind == reflect.Map:
		return l.mergeObjects(f)
	case l.without:
		return slices.DeleteFunc(l.old, func(v any) bool { return slices.Contains(l.patch, v) }), nil
	}
	var union []any
	for _, v := range slices.Concat(l.old, l.patch) {
		if !slices.Contains(union, v) {
			union = append(union, v)
		}
	}
	return l.ordered(union, func(v any) any { return v }), nil
}

// elementKind is that of all elements.
func elementKind(name string, elements []any) (reflect.Kind, error) {
	first := reflect.TypeOf(elements[0])
	for _, e := range elements {
		switch t := reflect.TypeOf(e); {
		case t == nil:
			return 0, fmt.Errorf("%s: an entry is null", name)
		case t.Kind() == reflect.Slice:
			return 0, fmt.Errorf("%s: an entry is a list", name)
		case t != first:
			return 0, fmt.Errorf("%s: entries are of different types", name)
		}
	}
	return first.Kind(), nil
}

// mergeObjects merges a list whose entries are told apart by a key.
func (l list) mergeObjects(f field) (any, error) {
	l, replaced, err := l.direct(f.key)
	if err != nil {
		return nil, err
	}
	if replaced {
		l.old = nil
	}
	if err := haveKey(slices.Concat(l.old, l.patch), f.key); err != nil {
		return nil, err
	}
	elem := f.typ
	for elem.Kind() == reflect.Slice || elem.Kind() == reflect.Pointer {
		elem = elem.Elem()
	}
	key := func(e any) any { return e.(map[string]any)[f.key] }
	merged := append([]any{}, l.old...)
	for _, e := range l.patch {
		i := slices.IndexFunc(merged, func(other any) bool { return key(other) == key(e) })
		if i < 0 || replaced {
			merged = append(merged, e)
			continue
		}
		if merged[i], err = mergeMap(merged[i].(map[string]any), e.(map[string]any), elem); err != nil {
			return nil, err
		}
	}
	if err := haveKey(merged, f.key); err != nil || replaced {
		return merged, err
	}
	return l.ordered(merged, key), nil
}

// haveKey says which entry lacks what tells it apart.
func haveKey(entries []any, key string) error {
	for _, e := range entries {
		value, ok := e.(map[string]any)[key]
		if !ok || value != nil && !reflect.TypeOf(value).Comparable() {
			return fmt.Errorf("an entry lacks its %s: %v", key, e)
		}
	}
	return nil
}

// direct follows the $patch directives among the entries of the patch, and leaves them
// out of it.
func (l list) direct(key string) (rest list, replaced bool, err error) {
	rest.old = slices.Clone(l.old)
	for _, e := range l.patch {
		entry := e.(map[string]any)
		how, directs := entry[directive]
		switch {
		case !directs:
			rest.patch = append(rest.patch, e)
		case how == replacing:
			replaced = true
		case how != deleting:
			return rest, false, fmt.Errorf("%s of an entry must be %s or %s (got %v)", directive, deleting, replacing, how)
		case haveKey([]any{e}, key) != nil:
			return rest, false, haveKey([]any{e}, key)
		default:
			rest.old = slices.DeleteFunc(rest.old, func(old any) bool { return old.(map[string]any)[key] == entry[key] })
		}
	}
	return rest, replaced, nil
}

// ordered puts what was merged in order: what the patch has is in the order of the
// patch; what only the old list has stays before what it was before, else comes last.
func (l list) ordered(merged []any, key func(any) any) []any {
	index := func(in []any, e any) int {
		return slices.IndexFunc(in, func(other any) bool { return key(other) == key(e) })
	}
	var changed, rest []any
	for _, e := range merged {
		if index(l.patch, e) < 0 {
			rest = append(rest, e)
		} else {
			changed = append(changed, e)
		}
	}
	slices.SortStableFunc(changed, func(a, b any) int { return index(l.patch, a) - index(l.patch, b) })
	out := make([]any, 0, len(merged))
	for _, e := range changed {
		place := index(l.old, e)
		for len(rest) > 0 && index(l.old, rest[0]) < place {
			out, rest = append(out, rest[0]), rest[1:]
		}
		out = append(out, e)
	}
	return append(out, rest...)
}
