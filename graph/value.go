package graph

import (
	"fmt"
	"maps"
	"slices"

	"github.com/inferstack/inferstack/internal/lists"
	"github.com/inferstack/inferstack/wiring"
)

// A value is something in an object's YAML; asking for what is not there is no error.
type value struct{ any }

// read is the whole object. YAML that does not decode is as good as empty here.
func read(o *wiring.Object) value {
	var out any
	if o == nil || o.Node() == nil || o.Node().Decode(&out) != nil {
		return value{}
	}
	return value{out}
}

// at follows keys.
func (v value) at(path ...string) value {
	for _, key := range path {
		m, _ := v.any.(map[string]any)
		v = value{m[key]}
	}
	return v
}

// text is a scalar as written.
func (v value) text() string {
	switch v.any.(type) {
	case nil, map[string]any, []any:
		return ""
	}
	return fmt.Sprint(v.any)
}

// list is the items of a sequence.
func (v value) list() []value {
	items, _ := v.any.([]any)
	return lists.Map(items, func(item any) value { return value{item} })
}

// keys of a mapping, sorted.
func (v value) keys() []string {
	m, _ := v.any.(map[string]any)
	return slices.Sorted(maps.Keys(m))
}
