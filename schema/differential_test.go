package schema

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"cuelang.org/go/cue"
	"cuelang.org/go/cue/cuecontext"
	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/internal/model"
)

// The walker must mean what the CUE files mean. These tests put documents before
// both and compare verdicts, and for valid ones the completed documents.

// An oracle is the schema in CUE's own hands. It grows with every question, and
// is not for concurrent use.
type oracle struct {
	ctx    *cue.Context
	schema cue.Value
}

func newOracle() *oracle {
	ctx := cuecontext.New()
	return &oracle{ctx, ctx.CompileString(CUE(), cue.Filename("schema.cue"))}
}

func (o *oracle) definition(name string) cue.Value {
	return o.schema.LookupPath(cue.ParsePath("#" + name))
}

// judge is CUE's verdict on a JSON value of a definition, and its completion.
func (o *oracle) judge(definition string, doc []byte) (string, error) {
	v := o.definition(definition).Unify(o.ctx.CompileBytes(doc))
	if err := v.Validate(cue.Concrete(true), cue.Final()); err != nil {
		return "", err
	}
	out, err := v.MarshalJSON()
	return string(out), err
}

// agree compares both on one value of a named type.
func (o *oracle) agree(t *testing.T, typ *model.Type, doc any) (valid bool) {
	t.Helper()
	data, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	var node yaml.Node
	if err := yaml.Unmarshal(data, &node); err != nil {
		t.Fatal(err)
	}
	w := &walker{plain: true}
	ok := w.value(typ, &place{node: node.Content[0]}) && len(w.problems) == 0
	complete, err := o.judge(typ.Name, data)
	switch {
	case ok != (err == nil):
		t.Errorf("#%s %s\nwalker: %v\nCUE: %v", typ.Name, data, w.problems, err)
	case ok:
		if d := cmp.Diff(decoded(t, complete), decoded(t, string(w.out))); d != "" {
			t.Errorf("#%s %s\ncompleted by CUE (-) and by the walker (+):\n%s", typ.Name, data, d)
		}
	}
	return ok
}

func decoded(t *testing.T, doc string) any {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(doc), &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// TestDocumentsAgree compares whole documents, right and wrong ones.
func TestDocumentsAgree(t *testing.T) {
	t.Parallel()
	o := newOracle()
	const n = 100
	valid := 0
	for seed := range n {
		g := &generator{rand.New(rand.NewPCG(uint64(seed), 1))}
		doc := g.value(root).(map[string]any)
		for range g.IntN(3) {
			g.spoil(doc)
		}
		if o.agree(t, root, doc) {
			valid++
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	if share := valid * 100 / n; share < 10 || share > 90 {
		t.Errorf("%d %% of the documents are valid; both sorts are needed", share)
	}
}

// TestFieldsAgree puts every sample into every field of every definition, one at
// a time.
func TestFieldsAgree(t *testing.T) {
	t.Parallel()
	fields := 0
	for _, typ := range definitions(newOracle()) {
		o := newOracle()
		least := map[string]any{}
		for i := range typ.Fields {
			if f := &typ.Fields[i]; f.Required {
				least[f.Name] = (&generator{}).value(f.Type)
			}
		}
		if !o.agree(t, typ, least) {
			t.Errorf("#%s: its required fields alone do not do", typ.Name)
		}
		for i := range typ.Fields {
			fields++
			f := &typ.Fields[i]
			doc := maps.Clone(least)
			doc[f.Name] = (&generator{}).value(f.Type)
			if !o.agree(t, typ, doc) {
				t.Errorf("#%s.%s: the model makes no valid value", typ.Name, f.Name)
			}
			o.spoilField(t, typ, f, doc)
		}
	}
	if fields < 150 {
		t.Errorf("only %d fields", fields)
	}
}

// wrong are values that most fields refuse, for different reasons.
var wrong = []any{nil, "", "a", "A b", strings.Repeat("a", 64), "30s", -1, 0, 1.5, 70000, true, map[string]any{"x": 1}, []any{1}}

// spoilField puts wrong values into a field, and into what is inside it unless that
// has a definition of its own.
func (o *oracle) spoilField(t *testing.T, typ *model.Type, f *model.Field, doc map[string]any) {
	try := func(set func(any), now any) {
		for _, v := range wrong {
			set(v)
			o.agree(t, typ, doc)
		}
		set(now)
	}
	if f.Type.Kind != model.Struct || !o.definition(f.Type.Name).Exists() {
		each(doc[f.Name], try)
	}
	if f.Type.Kind != model.Struct {
		try(func(v any) { doc[f.Name] = v }, doc[f.Name])
	}
}

// definitions lists the struct types below the root that have a definition.
func definitions(o *oracle) []*model.Type {
	var out []*model.Type
	var add func(t *model.Type)
	add = func(t *model.Type) {
		if t == nil || slices.Contains(out, t) {
			return
		}
		if t.Kind == model.Struct && o.definition(t.Name).Exists() {
			out = append(out, t)
		}
		add(t.Elem)
		for i := range t.Fields {
			add(t.Fields[i].Type)
		}
	}
	add(root)
	return out
}

// each visits every value below v.
func each(v any, visit func(set func(any), now any)) {
	switch v := v.(type) {
	case map[string]any:
		for _, k := range sortedKeys(v) {
			now := v[k]
			each(now, visit)
			visit(func(x any) { v[k] = x }, now)
		}
	case []any:
		for i, now := range v {
			each(now, visit)
			visit(func(x any) { v[i] = x }, now)
		}
	}
}

func sortedKeys(m map[string]any) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

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
	"a", "", "abc-d", "a.b", "A", "-", "a_b", "a/b", "x.io/y", "1.29", "2.1", "0.10", "7", "hf://a/b", "/p", "30s",
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
