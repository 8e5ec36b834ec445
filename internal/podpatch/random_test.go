package podpatch

import (
	"math/rand/v2"
	"reflect"
	"strings"
)

// A maker makes patches up.
type maker struct{ *rand.Rand }

var (
	words = []string{"a", "b", "c", "v", "w", "E", "F", "/v", "zone"}
	keys  = []string{"metadata", "spec", "containers", "volumes", "name", "env", "ports", "mountPath", "volumeMounts", "topologyKey", "containerPort", "finalizers"}
)

func (g maker) one(in []string) string { return in[g.IntN(len(in))] }

// value makes a value up that more or less fits a type.
func (g maker) value(t reflect.Type, depth int) any {
	if depth > 0 && g.IntN(12) == 0 {
		return nil
	}
	switch t.Kind() {
	case reflect.Pointer:
		return g.value(t.Elem(), depth)
	case reflect.Struct:
		return g.object(t, depth)
	case reflect.Map:
		return map[string]any{g.one(words): g.value(t.Elem(), depth+1)}
	case reflect.Slice:
		out := []any{}
		for range g.IntN(4) {
			out = append(out, g.value(t.Elem(), depth+1))
		}
		return out
	case reflect.String:
		return g.one(words)
	case reflect.Bool:
		return g.IntN(2) == 0
	}
	return g.IntN(4)
}

func (g maker) object(t reflect.Type, depth int) any {
	out := map[string]any{}
	if depth > 0 && g.IntN(8) == 0 {
		out["$patch"] = []string{"delete", "replace", "merge"}[min(g.IntN(12)/5, 2)]
	}
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" || name == "-" {
			continue
		}
		chance := 6
		for _, k := range keys {
			if k == name {
				chance = 1 // the fields that merging turns on
			}
		}
		if depth > 6 || g.IntN(chance+depth/3) != 0 {
			continue
		}
		out[name] = g.value(f.Type, depth+1)
		if f.Type == reflect.TypeFor[[]string]() && g.IntN(8) == 0 {
			out["$deleteFromPrimitiveList/"+name] = out[name]
			delete(out, name) // upstream applies the two in the order of a Go map
		}
	}
	return out
}
