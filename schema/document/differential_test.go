package document

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"cuelang.org/go/cue"
	"cuelang.org/go/cue/cuecontext"
	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/internal/long"
	"github.com/inferstack/inferstack/internal/model"
	"github.com/inferstack/inferstack/schema"
)

// The walker must mean what the CUE files mean. These tests put documents before
// both and compare verdicts, and for valid ones the completed documents.

// An oracle is the schema in CUE's own hands. It is not for concurrent use.
type oracle struct {
	ctx    *cue.Context
	schema cue.Value
	asked  int
}

func newOracle() *oracle {
	o := &oracle{}
	o.renew()
	return o
}

// renew forgets what was asked: CUE keeps every question, and the collector looks at all of them again and again.
func (o *oracle) renew() {
	o.ctx, o.asked = cuecontext.New(), 0
	o.schema = o.ctx.CompileString(schema.CUE(), cue.Filename("schema.cue"))
}

func (o *oracle) definition(name string) cue.Value {
	return o.schema.LookupPath(cue.ParsePath("#" + name))
}

// judge is CUE's verdict on a JSON value of a definition, and its completion.
func (o *oracle) judge(definition string, doc []byte) (string, error) {
	if o.asked++; o.asked > 50 {
		o.renew()
	}
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
	n := long.Of(100, 5)
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
// a time. make test tries a part.
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
			if !long.Part(fields, 8) {
				continue
			}
			f := &typ.Fields[i]
			doc := maps.Clone(least)
			doc[f.Name] = (&generator{}).value(f.Type)
			if !o.agree(t, typ, doc) {
				t.Errorf("#%s.%s: the model makes no valid value", typ.Name, f.Name)
			}
			if long.Part(fields, 80) {
				o.spoilField(t, typ, f, doc)
			}
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
