package generators

import (
	"bytes"
	"encoding/json"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/inferstack/inferstack/generators/base"
	"github.com/inferstack/inferstack/generators/internal/stacktest"
	"github.com/inferstack/inferstack/generators/manifest"
	"github.com/inferstack/inferstack/internal/conform"
	"github.com/inferstack/inferstack/internal/long"
	"github.com/inferstack/inferstack/schema"
)

// laws hold for the objects of every valid stack.
var laws = []struct {
	name  string
	check func(t *testing.T, s *base.Stack, objects []base.Object)
}{
	{"deterministic", isDeterministic},
	{"spec is not changed", leavesSpecAlone},
	{"nothing is shared", sharesNothing},
	{"identities are unique", identitiesAreUnique},
	{"nothing is empty", nothingIsEmpty},
	{"applied in order", isOrdered},
	{"consumers accept it", consumersAccept},
	{"pods hold the standard", podsHoldStandard},
	{"selectors", selectorsMatch},
	{"references", referencesResolve},
}

func TestLaws(t *testing.T) {
	for _, v := range variants(t) {
		t.Run(v.name, func(t *testing.T) {
			long.Case(t, 3)
			s := stacktest.ParseDocument(t, v.document(t))
			objects := Generate(s.Stack, s.Line)
			if len(objects) == 0 {
				t.Fatal("no objects")
			}
			for _, law := range laws {
				t.Run(law.name, func(t *testing.T) { law.check(t, s, objects) })
			}
		})
	}
}

// Switching a feature on adds objects and renames none.
func TestFeaturesOnlyAdd(t *testing.T) {
	base := variant{name: "base", spec: overlaid(t, classes["istio"]), namespace: "llm-d", stack: "demo"}
	plain := stacktest.ParseDocument(t, base.document(t))
	before := Generate(plain.Stack, plain.Line)
	for name, spec := range features {
		t.Run(name, func(t *testing.T) {
			v := variant{name: name, spec: overlaid(t, classes["istio"], spec), namespace: "llm-d", stack: "demo"}
			s := stacktest.ParseDocument(t, v.document(t))
			there := map[string]bool{}
			for _, o := range Generate(s.Stack, s.Line) {
				there[identity(o)] = true
			}
			for _, o := range before {
				if !there[identity(o)] {
					t.Errorf("%s is gone", identity(o))
				}
			}
		})
	}
}

func isDeterministic(t *testing.T, s *base.Stack, objects []base.Object) {
	again := Generate(s.Stack, s.Line)
	if len(again) != len(objects) {
		t.Fatalf("%d objects, then %d", len(objects), len(again))
	}
	for i := range objects {
		if a, b := marshalled(t, objects[i]), marshalled(t, again[i]); !bytes.Equal(a, b) {
			t.Errorf("%s: %s", identity(objects[i]), cmp.Diff(string(a), string(b)))
		}
	}
}

func leavesSpecAlone(t *testing.T, s *base.Stack, _ []base.Object) {
	fresh := &schema.Stack{}
	if err := json.Unmarshal(marshalled(t, s.Stack), fresh); err != nil {
		t.Fatal(err)
	}
	Generate(s.Stack, s.Line)
	if d := cmp.Diff(fresh, s.Stack, cmpopts.IgnoreUnexported(schema.Stack{}), cmpopts.EquateEmpty()); d != "" {
		t.Error(d)
	}
}

// sharesNothing walks spec, release line and objects: no map, slice or pointer may be
// reached on two ways.
func sharesNothing(t *testing.T, s *base.Stack, objects []base.Object) {
	seen := map[uintptr]string{}
	reach(t, seen, reflect.ValueOf(&s.Spec), "spec")
	reach(t, seen, reflect.ValueOf(s.Line), "line")
	for _, o := range objects {
		reach(t, seen, reflect.ValueOf(o), identity(o))
	}
}

func reach(t *testing.T, seen map[uintptr]string, v reflect.Value, path string) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Map, reflect.Slice:
		if v.IsNil() || v.Kind() == reflect.Slice && v.Cap() == 0 || v.Kind() == reflect.Pointer && v.Type().Elem().Size() == 0 {
			return
		}
		if first, ok := seen[v.Pointer()]; ok {
			t.Errorf("%s is also %s", path, first)
			return
		}
		seen[v.Pointer()] = path
	}
	switch v.Kind() {
	case reflect.Interface:
		reach(t, seen, v.Elem(), path)
	case reflect.Pointer:
		inside(t, seen, v.Elem(), path)
	case reflect.Map:
		for _, k := range v.MapKeys() {
			reach(t, seen, v.MapIndex(k), path+"["+k.String()+"]")
		}
	case reflect.Slice:
		for i := range v.Len() {
			inside(t, seen, v.Index(i), path+"[]")
		}
	case reflect.Struct:
		inside(t, seen, v, path)
	}
}

// inside is reach for what has no address of its own.
func inside(t *testing.T, seen map[uintptr]string, v reflect.Value, path string) {
	if v.Kind() != reflect.Struct {
		reach(t, seen, v, path)
		return
	}
	for i := range v.NumField() {
		if f := v.Type().Field(i); f.IsExported() && f.Type.PkgPath() != "time" {
			reach(t, seen, v.Field(i), path+"."+f.Name)
		}
	}
}

func identitiesAreUnique(t *testing.T, _ *base.Stack, objects []base.Object) {
	seen := map[string]bool{}
	for _, o := range objects {
		if seen[identity(o)] {
			t.Errorf("%s twice", identity(o))
		}
		seen[identity(o)] = true
	}
}

func identity(o base.Object) string {
	gvk := o.GetObjectKind().GroupVersionKind()
	return strings.Join([]string{gvk.Group, gvk.Kind, o.GetNamespace(), o.GetName()}, "/")
}

// nothingIsEmpty looks for nulls and empty arguments, and for what only a cluster writes.
// An empty status is left out when the object is written. A ${ appears only where the user
// wrote one, and then Flux is told.
func nothingIsEmpty(t *testing.T, s *base.Stack, objects []base.Object) {
	wrote := bytes.Contains(marshalled(t, s.Stack), []byte("${"))
	Manifests(s.Stack, objects) // tells Flux
	for _, o := range objects {
		data := marshalled(t, o)
		var fields map[string]any
		if err := json.Unmarshal(data, &fields); err != nil {
			t.Fatal(err)
		}
		delete(fields, "status")
		walkEmpty(t, identity(o), fields)
		if bytes.Contains(data, []byte("${")) && (!wrote || o.GetAnnotations()[annotationSubstitute] != "disabled") {
			t.Errorf("%s: Flux would replace a ${", identity(o))
		}
	}
}

func walkEmpty(t *testing.T, path string, value any) {
	switch v := value.(type) {
	case nil:
		t.Errorf("%s is null", path)
	case map[string]any:
		for k, inner := range v {
			if k == "creationTimestamp" || k == "status" && !reflect.DeepEqual(inner, map[string]any{}) {
				t.Errorf("%s.%s belongs to the cluster", path, k)
			}
			walkEmpty(t, path+"."+k, inner)
		}
	case []any:
		for i, inner := range v {
			// The core API group is "", and so is Redis's word for no snapshots.
			meant := strings.HasSuffix(path, ".apiGroups") || i > 0 && v[i-1] == "--save"
			if inner == "" && !meant {
				t.Errorf("%s holds an empty string", path)
			}
			walkEmpty(t, path, inner)
		}
	}
}

func isOrdered(t *testing.T, _ *base.Stack, objects []base.Object) {
	for i, o := range objects {
		if applyRank(o) == len(applyOrder) {
			t.Errorf("%s has no place in the order", identity(o))
		}
		if i > 0 && applyRank(objects[i-1]) > applyRank(o) {
			t.Errorf("%s before %s", identity(objects[i-1]), identity(o))
		}
	}
}

// consumersAccept judges the objects as they are written out.
func consumersAccept(t *testing.T, _ *base.Stack, objects []base.Object) {
	var out bytes.Buffer
	if err := manifest.WriteYAML(&out, manifest.List(objects)); err != nil {
		t.Fatal(err)
	}
	if err := conform.CheckYAML(out.Bytes()); err != nil {
		t.Error(err)
	}
}

// rootAccelerators are the exceptions that docs/pod-security.md names: their servers hold
// the baseline only.
var rootAccelerators = []string{"amd", "intel-xpu", "google-tpu"}

func podsHoldStandard(t *testing.T, s *base.Stack, objects []base.Object) {
	level := s.Spec.Security.PodSecurity
	for _, server := range s.Servers() {
		if slices.Contains(rootAccelerators, s.AcceleratorOf(server.Own).Type) {
			level = "baseline"
		}
	}
	for _, o := range objects {
		if err := conform.PodSecurity(o, level); err != nil {
			t.Error(err)
		}
	}
}

func TestPodSecurityExceptionsAreDocumented(t *testing.T) {
	page, err := os.ReadFile("../docs/pod-security.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range rootAccelerators {
		if !bytes.Contains(page, []byte("`"+name+"`")) {
			t.Errorf("docs/pod-security.md does not name %s", name)
		}
	}
}

func marshalled(t *testing.T, v any) []byte {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// withoutStatus is the object as it is written out.
func withoutStatus(t *testing.T, o base.Object) map[string]any {
	t.Helper()
	var fields map[string]any
	if err := json.Unmarshal(marshalled(t, o), &fields); err != nil {
		t.Fatal(err)
	}
	delete(fields, "status")
	return fields
}
