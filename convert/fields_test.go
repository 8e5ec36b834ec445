package convert

import (
	"maps"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/convert/helm"
	"github.com/inferstack/inferstack/convert/modelservice"
	"github.com/inferstack/inferstack/convert/schedop"
	"github.com/inferstack/inferstack/convert/simop"
	"github.com/inferstack/inferstack/schema"
)

// A fieldTable says of every field of a system where it is seen once it is changed
// alone. testdata/convert/fields holds one a system.
type fieldTable struct {
	Base  yaml.Node   `yaml:"base"` // the document that the fields are set in
	Cases []fieldCase `yaml:"cases"`
}

// A fieldCase changes one field. It is seen at a field of the stack, or in an error or
// another remark.
type fieldCase struct {
	Field string    `yaml:"field"`
	Value yaml.Node `yaml:"value"`
	With  yaml.Node `yaml:"with"` // other fields, without which this one means nothing
	Seen  string    `yaml:"seen"`
	As    yaml.Node `yaml:"as"` // when it is another value there
	Error string    `yaml:"error"`
	Says  string    `yaml:"says"`
	Quiet string    `yaml:"quiet"`     // what is no longer said
	Same  bool      `yaml:"same"`      // it says what is so anyway
	Test  string    `yaml:"elsewhere"` // the test that changes it
}

// The systems, with the Go type that has their fields below a path.
var fieldSystems = []struct {
	name, below string
	typ         reflect.Type
	convert     func(*testing.T, []byte) Result
}{
	{"simulatordeployment", "spec", reflect.TypeFor[simop.SimulatorSpec](), convertText},
	{"schedulerinstall", "spec", reflect.TypeFor[simop.InstallSpec](), convertText},
	{"inferencescheduler", "spec", reflect.TypeFor[schedop.Spec](), convertText},
	{"modelservice", "spec", reflect.TypeFor[modelservice.Spec](), convertText},
	{"modelservice-base", "data", reflect.TypeFor[baseObjects](), convertText},
	{"llmd", "spec", reflect.TypeFor[modelservice.LLMDSpec](), convertText},
	{"helm-infra", "", reflect.TypeFor[helm.Infra](), func(_ *testing.T, data []byte) Result {
		return Helm(HelmValues{Infra: helm.File{Name: "infra.yaml", Data: data}, Postfix: "p", Namespace: "ns"})
	}},
	{"helm-pool", "", reflect.TypeFor[helm.Pool](), func(_ *testing.T, data []byte) Result {
		return Helm(HelmValues{Pool: helm.File{Name: "pool.yaml", Data: data}, Postfix: "p", Namespace: "ns"})
	}},
	{"helm-router", "", reflect.TypeFor[helm.RouterValues](), func(_ *testing.T, data []byte) Result {
		return Helm(HelmValues{Pool: helm.File{Name: "router.yaml", Data: data}, Postfix: "p", Namespace: "ns"})
	}},
	{"helm-modelservice", "", reflect.TypeFor[helm.Model](), func(_ *testing.T, data []byte) Result {
		return Helm(HelmValues{Model: helm.File{Name: "ms.yaml", Data: data}, Postfix: "p", Namespace: "ns"})
	}},
}

// baseObjects are the keys of a ModelService's base configuration.
type baseObjects struct {
	DecodeDeployment  string `json:"decodeDeployment"`
	PrefillDeployment string `json:"prefillDeployment"`
	DecodeService     string `json:"decodeService"`
	PrefillService    string `json:"prefillService"`
	EPPDeployment     string `json:"eppDeployment"`
	EPPService        string `json:"eppService"`
	InferencePool     string `json:"inferencePool"`
	InferenceModel    string `json:"inferenceModel"`
	HTTPRoute         string `json:"httpRoute"`
}

func convertText(t *testing.T, data []byte) Result {
	docs, problems := schema.Read("input.yaml", data)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return Convert(docs, Options{})
}

func TestFields(t *testing.T) {
	for _, system := range fieldSystems {
		data, err := os.ReadFile("../testdata/convert/fields/" + system.name + ".yaml")
		if err != nil {
			t.Fatal(err)
		}
		var table fieldTable
		if err := yaml.Unmarshal(data, &table); err != nil {
			t.Fatalf("%s: %v", system.name, err)
		}
		covered := map[string]bool{}
		for _, c := range table.Cases {
			covered[strings.TrimPrefix(index.ReplaceAllString(c.Field, ""), "items.")] = true
			if c.Test != "" {
				continue
			}
			t.Run(system.name+"/"+c.Field, func(t *testing.T) { c.run(t, table.Base, system.convert) })
		}
		for _, leaf := range leaves(system.typ, system.below) {
			below := func(path string) bool { return strings.HasPrefix(path, leaf+".") }
			if !slices.ContainsFunc(above(leaf), func(path string) bool { return covered[path] }) && !slices.ContainsFunc(slices.Collect(maps.Keys(covered)), below) {
				t.Errorf("%s: no case changes %s", system.name, leaf)
			}
		}
	}
}

var index = regexp.MustCompile(`\[\d+\]`)

// above are a path and the paths above it: who changes a section changes its fields.
func above(path string) []string {
	out := []string{path}
	for i := strings.LastIndexByte(path, '.'); i > 0; i = strings.LastIndexByte(path[:i], '.') {
		if path[:i] != "spec" {
			out = append(out, path[:i])
		}
	}
	return out
}

func (c fieldCase) run(t *testing.T, base yaml.Node, convert func(*testing.T, []byte) Result) {
	plain := copyNode(t, &base)
	if c.With.Kind != 0 {
		overlay(plain, &c.With)
	}
	changed := copyNode(t, plain)
	setField(changed, strings.Split(strings.NewReplacer("[", ".", "]", "").Replace(c.Field), "."), &c.Value)
	before, after := checked(convert(t, text(t, plain))), checked(convert(t, text(t, changed)))
	problems := string(results(after.Problems))
	switch {
	case c.Error != "":
		if len(after.Problems.Errors()) == 0 || !strings.Contains(problems, c.Error) || strings.Contains(string(results(before.Problems)), c.Error) {
			t.Errorf("no error %q in\n%s", c.Error, problems)
		}
		return
	case len(after.Stacks) == 0:
		t.Fatalf("refused:\n%s", problems)
	case c.Quiet != "":
		if strings.Contains(problems, c.Quiet) || !strings.Contains(string(results(before.Problems)), c.Quiet) {
			t.Errorf("%q is to be said without the change only:\n%s", c.Quiet, problems)
		}
		return
	case c.Same:
		if d := cmp.Diff(string(stacksYAML(before)), string(stacksYAML(after))); d != "" {
			t.Errorf("not the same:\n%s", d)
		}
		return
	case c.Says != "":
		if !strings.Contains(problems, c.Says) || strings.Contains(string(results(before.Problems)), c.Says) {
			t.Errorf("nothing says %q in\n%s", c.Says, problems)
		}
		return
	}
	want := &c.As
	if want.Kind == 0 {
		want = &c.Value
	}
	if got := at(t, after, c.Seen); !cmp.Equal(value(t, want), got) {
		t.Errorf("%s: %v, not %v, in\n%s", c.Seen, got, value(t, want), stacksYAML(after))
	}
	if len(before.Stacks) > 0 && cmp.Equal(value(t, want), at(t, before, c.Seen)) {
		t.Errorf("%s is the same without the change", c.Seen)
	}
}

// checked adds what is wrong with the stacks as such.
func checked(r Result) Result {
	for _, s := range r.Stacks {
		_, problems := s.Parse()
		r.Problems = append(r.Problems, problems...)
	}
	return r
}

// at is the value at a field of the first stack, once it is complete.
func at(t *testing.T, r Result, path string) any {
	spec, problems := r.Stacks[0].Parse()
	if spec == nil {
		t.Fatal(problems)
	}
	data, err := yaml.Marshal(plainJSON(t, spec))
	if err != nil {
		t.Fatal(err)
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(data, &doc); err != nil {
		t.Fatal(err)
	}
	n := doc.Content[0]
	for _, step := range strings.Split(strings.NewReplacer("[", ".", "]", "", `\.`, "\x00").Replace(path), ".") {
		if n = find(n, strings.ReplaceAll(step, "\x00", ".")); n == nil {
			return nil
		}
	}
	return value(t, n)
}

// leaves lists the fields of a type by their JSON paths. What is a Kubernetes type or
// has no fields is one leaf.
func leaves(t reflect.Type, below string) []string {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || !strings.Contains(t.PkgPath(), "inferstack") && t.PkgPath() != "" {
		return []string{below}
	}
	var out []string
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous:
			out = append(out, leaves(f.Type, below)...)
		case below == "":
			out = append(out, leaves(f.Type, name)...)
		default:
			out = append(out, leaves(f.Type, below+"."+name)...)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
