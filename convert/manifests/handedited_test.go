package manifests

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/generators"
	"github.com/inferstack/inferstack/internal/freeform"
	"github.com/inferstack/inferstack/internal/long"
	"github.com/inferstack/inferstack/internal/miswired"
	"github.com/inferstack/inferstack/schema"
	"github.com/inferstack/inferstack/schema/document"
	"github.com/inferstack/inferstack/schema/rules"
)

// TestHandEdited changes objects as people do, and holds what is found for each to the law of the
// command: it compiles, or it is refused with a reason, and each object is in a stack, differs from
// it, must stay, or is left alone. A conversion takes a second: each is adopted or not, and make property tries many.
func TestHandEdited(t *testing.T) {
	files, _ := filepath.Glob(byhand + "*/objects.yaml")
	for _, name := range []string{"quickstart", "prefill-decode-istio", "precise-prefix-cache", "server-tls", "production-vllm", "standalone-envoy", "two-models", "variants"} {
		files = append(files, goldenDir+"/"+name+".yaml")
	}
	own, _ := filepath.Glob("testdata/*.yaml")
	files = append(files, own...)
	edits := max(3, long.Specs(t, 0)/100)
	for i, file := range files {
		objects := objectsOf(t, file)
		for n := range edits {
			if !long.All() && (file != hereFile || n > 0) {
				continue
			}
			t.Run(fmt.Sprint(strings.Trim(strings.ReplaceAll(file, "/", " "), "."), " ", n), func(t *testing.T) {
				t.Parallel()
				e := editor{rand.New(rand.NewPCG(uint64(i), uint64(n))), freeform.Copy(objects).([]any), nil}
				for range 1 + n%3 {
					e.edit()
				}
				lawful(t, e, Options{Adopt: (i+n)%2 == 0})
			})
		}
	}
}

// lawful holds a conversion of edited objects to the law.
func lawful(t *testing.T, e editor, opt Options) {
	t.Helper()
	docs, problems := document.Read("objects.yaml", asYAML(t, e.objects))
	if len(problems.Errors()) > 0 {
		t.Fatal(problems)
	}
	r := Convert(docs, opt)
	for _, p := range r.Problems.Errors() {
		if p.Message == "" {
			t.Errorf("%+v: %v: refused without a reason", opt, e.did)
		}
	}
	if len(r.Problems.Errors()) > 0 {
		t.Log(e.did, r.Problems.Errors()[0].Message)
		return
	}
	var specs []*schema.Stack
	for _, s := range r.Stacks {
		text, err := yaml.Marshal(s.Node)
		if err != nil {
			t.Fatal(err)
		}
		again, _ := document.Read("stack.yaml", text)
		spec, problems := rules.Parse(again[0].Node, again[0].Source)
		if spec == nil {
			t.Errorf("%+v: %v: no stack: %v", opt, e.did, problems.Errors())
			return
		}
		specs = append(specs, spec)
	}
	made, conflicts := generators.GenerateAll(specs, miswired.Look)
	if len(conflicts) > 0 || len(made) == 0 {
		t.Errorf("%+v: %v: does not compile: %v", opt, e.did, conflicts)
	}
	known := map[string]bool{}
	for _, m := range made {
		for _, o := range m.Objects {
			known[o.ID.Kind+" "+o.ID.Name] = true
		}
	}
	for _, s := range r.Stacks {
		for _, d := range s.Left {
			known[d.ID.Kind+" "+d.ID.Name] = true
		}
		for _, name := range s.Kept {
			known[name] = true
		}
	}
	for _, d := range r.Alone {
		known[d.Kind+" "+d.Name] = true
	}
	for _, d := range docs {
		if name := d.Kind + " " + d.Name; !known[name] && d.Kind != "DisaggregatedSet" {
			t.Errorf("%+v: %v: %s is lost", opt, e.did, name)
		}
	}
}

func objectsOf(t *testing.T, file string) []any {
	t.Helper()
	var out []any
	for dec := yaml.NewDecoder(bytes.NewReader(content(t, file))); ; {
		var o object
		if dec.Decode(&o) != nil {
			return out
		}
		if o != nil {
			out = append(out, o)
		}
	}
}

func asYAML(t *testing.T, objects []any) []byte {
	t.Helper()
	var out bytes.Buffer
	enc := yaml.NewEncoder(&out)
	for _, o := range objects {
		if err := enc.Encode(o); err != nil {
			t.Fatal(err)
		}
	}
	return out.Bytes()
}

// An editor changes objects at random, and keeps what it did.
type editor struct {
	*rand.Rand
	objects []any
	did     []string
}

// edit makes one change.
func (e *editor) edit() {
	i := e.IntN(len(e.objects))
	o := mapping(e.objects[i])
	say := func(format string, args ...any) {
		e.did = append(e.did, named(o)+": "+fmt.Sprintf(format, args...))
	}
	switch e.IntN(12) {
	case 0, 1: // a name of a port, which others may refer to or not
		e.ports(func(p object) { delete(p, "name") })
		e.did = append(e.did, "ports without names")
	case 2:
		e.ports(func(p object) { delete(p, "targetPort") })
		e.did = append(e.did, "no targetPorts")
	case 3:
		say("is gone")
		e.objects = slices.Delete(e.objects, i, i+1)
	case 4:
		was := text(o, "metadata", "name")
		e.everywhere(was, "another")
		e.did = append(e.did, was+" is called another")
	case 5:
		say("called other")
		set(o, []string{"metadata", "name"}, "other")
	case 6:
		ns := []any{"elsewhere", nil}[e.IntN(2)]
		say("in namespace %v", ns)
		set(o, []string{"metadata", "namespace"}, ns)
	case 7:
		say("has an annotation and a label")
		set(o, []string{"metadata", "annotations"}, object{"example.com/note": "mine"})
		set(o, []string{"metadata", "labels"}, object{"team": "search"})
	case 8:
		ns := []any{"elsewhere", nil}[e.IntN(2)]
		e.did = append(e.did, fmt.Sprintf("all in namespace %v", ns))
		for _, o := range e.objects {
			set(o, []string{"metadata", "namespace"}, ns)
		}
	default:
		say("%s", e.cut(o))
	}
}

// ports changes every port of containers and Services.
func (e *editor) ports(change func(object)) {
	var walk func(v any, key string)
	walk = func(v any, key string) {
		for k, inner := range mapping(v) {
			walk(inner, k)
		}
		for _, inner := range list(v) {
			if m := mapping(inner); m != nil && key == "ports" {
				change(m)
			}
			walk(inner, key)
		}
	}
	for _, o := range e.objects {
		walk(o, "")
	}
}

// everywhere writes another text in the place of one.
func (e *editor) everywhere(was, is string) {
	var other func(v any) any
	other = func(v any) any {
		switch v := v.(type) {
		case object:
			for k := range v {
				v[k] = other(v[k])
			}
		case []any:
			for i := range v {
				v[i] = other(v[i])
			}
		case string:
			return strings.ReplaceAll(v, was, is)
		}
		return v
	}
	for i := range e.objects {
		e.objects[i] = other(e.objects[i])
	}
}

// cut takes a field away, anywhere but in what says which object it is.
func (e *editor) cut(o object) string {
	path := []string{}
	var v any = o
	for {
		var keys []string
		switch v := v.(type) {
		case object:
			keys = slices.Sorted(maps.Keys(v))
			if len(path) == 0 {
				keys = slices.DeleteFunc(keys, func(k string) bool { return k == "kind" || k == "apiVersion" })
			}
		case []any:
			for i := range v {
				keys = append(keys, fmt.Sprint("#", i))
			}
		}
		if len(keys) == 0 || len(path) > 1 && e.IntN(5) == 0 {
			if slices.Equal(path, []string{"metadata", "name"}) || len(path) < 2 {
				return "stays"
			}
			set(o, path, nil)
			return "no " + strings.Join(path, ".")
		}
		path = append(path, keys[e.IntN(len(keys))])
		v = at(v, path[len(path)-1])
	}
}
