package document

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/internal/model"
)

// A generator makes documents from the model: random ones, or without a source
// of randomness the one that has every field.
type generator struct{ *rand.Rand }

// IntN is 0 without randomness.
func (g *generator) IntN(n int) int {
	if g.Rand == nil {
		return 0
	}
	return g.Rand.IntN(n)
}

func (g *generator) value(t *model.Type) any {
	switch t.Kind {
	case model.Scalar:
		return g.scalar(t)
	case model.Struct:
		out := map[string]any{}
		for i := range t.Fields {
			if f := &t.Fields[i]; f.Required || g.IntN(3) == 0 {
				out[f.Name] = g.value(f.Type)
			}
		}
		return out
	case model.Map:
		out := map[string]any{}
		for range 1 + g.IntN(2) {
			out[fmt.Sprint(g.scalar(t.Key))] = g.value(t.Elem)
		}
		return out
	case model.List:
		out := []any{}
		for range max(1, t.MinItems) + g.IntN(2) {
			out = append(out, g.value(t.Elem))
		}
		return out
	}
	return map[string]any{"a": map[string]any{"b": nil}, "c": []any{1.5, "x", true}}
}

var samples = []any{
	"a", "", "abc-d", "a.b", "A", "-", "a_b", "a/b", "x.io/y", "1.29", "2.1", "0.10", "7", "hf://a/b", "pvc://claim/p", "s3://bucket/p", "gs://bucket", "/p", "30s",
	"1h30m", "8Gi", "50%", "http://h:1", "h:80", "2x4", "a b", "é", "*.a.b", strings.Repeat("a", 64), strings.Repeat("b", 254), "on",
	0, 1, 2, -1, 8, 64, 100, 65535, 65536, 1000001, 2147483647, 0.5, 1.5, 1e-7, true, false,
}

// scalar is a sample that the type accepts, or now and then any.
func (g *generator) scalar(t *model.Type) any {
	pool := slices.Clone(samples)
	for i := range t.Alts {
		pool = append(pool, t.Alts[i].Values...)
	}
	fitting := slices.DeleteFunc(slices.Clone(pool), func(v any) bool {
		var n yaml.Node
		if err := n.Encode(v); err != nil {
			panic(err)
		}
		ok, _ := (&walker{plain: true}).fits(t, scalarOf(&n))
		return !ok
	})
	if len(fitting) == 0 || g.IntN(200) == 1 {
		fitting = pool
	}
	return fitting[g.IntN(len(fitting))]
}

// spoil changes one value somewhere, adds a field or takes one away.
func (g *generator) spoil(doc map[string]any) {
	var spots []func(any)
	var maps []map[string]any
	each(doc, func(set func(any), now any) {
		spots = append(spots, set)
		if m, ok := now.(map[string]any); ok {
			maps = append(maps, m)
		}
	})
	maps = append(maps, doc)
	m := maps[g.IntN(len(maps))]
	switch g.IntN(4) {
	case 0:
		m["extra"] = g.IntN(2)
	case 1:
		if keys := sortedKeys(m); len(keys) > 0 {
			delete(m, keys[g.IntN(len(keys))])
		}
	default:
		spots[g.IntN(len(spots))](wrong[g.IntN(len(wrong))])
	}
}
