package convert

import (
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/convert/helm"
	"github.com/inferstack/inferstack/convert/kserve"
	"github.com/inferstack/inferstack/convert/modelservice"
	"github.com/inferstack/inferstack/convert/schedop"
	"github.com/inferstack/inferstack/convert/simop"
	"github.com/inferstack/inferstack/internal/long"
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
	// Also are further fields by their paths, as those of an item of a list.
	Also  map[string]yaml.Node `yaml:"also"`
	Seen  string               `yaml:"seen"`
	As    yaml.Node            `yaml:"as"` // when it is another value there
	Error string               `yaml:"error"`
	Says  string               `yaml:"says"`
	Quiet string               `yaml:"quiet"`     // what is no longer said
	Same  bool                 `yaml:"same"`      // it says what is so anyway
	Test  string               `yaml:"elsewhere"` // the test that changes it
}

// A fieldSystem is a system, with the Go type that has its fields below a path.
type fieldSystem struct {
	name, below string
	typ         reflect.Type
	values      func(*HelmValues) *helm.File // nil for documents
}

var fieldSystems = []fieldSystem{
	{"simulatordeployment", "spec", reflect.TypeFor[simop.SimulatorSpec](), nil},
	{"schedulerinstall", "spec", reflect.TypeFor[simop.InstallSpec](), nil},
	{"inferencescheduler", "spec", reflect.TypeFor[schedop.Spec](), nil},
	{"modelservice", "spec", reflect.TypeFor[modelservice.Spec](), nil},
	{"modelservice-base", "data", reflect.TypeFor[baseObjects](), nil},
	{"llminferenceservice", "spec", reflect.TypeFor[kserve.Spec](), nil},
	{"llmd", "spec", reflect.TypeFor[modelservice.LLMDSpec](), nil},
	{"helm-infra", "", reflect.TypeFor[helm.Infra](), func(v *HelmValues) *helm.File { return &v.Infra }},
	{"helm-pool", "", reflect.TypeFor[helm.Pool](), func(v *HelmValues) *helm.File { return &v.Pool }},
	{"helm-router", "", reflect.TypeFor[helm.RouterValues](), func(v *HelmValues) *helm.File { return &v.Pool }},
	{"helm-modelservice", "", reflect.TypeFor[helm.Model](), func(v *HelmValues) *helm.File { return &v.Model }},
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

// input is a table's document as it is converted.
func (s *fieldSystem) input(t *testing.T, data []byte) input {
	t.Helper()
	if s.values == nil {
		return documentsInput(t, data)
	}
	v := HelmValues{Postfix: "p", Namespace: "ns"}
	*s.values(&v) = helm.File{Name: "values.yaml", Data: data}
	return helmInput(v)
}

func TestFields(t *testing.T) {
	for _, system := range fieldSystems {
		table := readTable(t, system.name)
		covered := map[string]bool{}
		for i, c := range table.Cases {
			covered[strings.TrimPrefix(index.ReplaceAllString(c.Field, ""), "items.")] = true
			if c.Test != "" || !long.Part(i, 20) {
				continue
			}
			t.Run(system.name+"/"+c.Field, func(t *testing.T) { c.run(t, table.Base, &system) })
		}
		for _, leaf := range leaves(system.typ, system.below) {
			below := func(path string) bool { return strings.HasPrefix(path, leaf+".") }
			if !slices.ContainsFunc(above(leaf), func(path string) bool { return covered[path] }) && !slices.ContainsFunc(slices.Collect(maps.Keys(covered)), below) {
				t.Errorf("%s: no case changes %s", system.name, leaf)
			}
		}
	}
}

func readTable(t *testing.T, name string) fieldTable {
	t.Helper()
	var table fieldTable
	if err := yaml.Unmarshal(content(t, "../testdata/convert/fields/"+name+".yaml"), &table); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return table
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

// plain is the document without the change.
func (c fieldCase) plain(t *testing.T, base yaml.Node) *yaml.Node {
	t.Helper()
	plain := copyNode(t, &base)
	if c.With.Kind != 0 {
		overlay(plain, &c.With)
	}
	for path, v := range c.Also {
		setField(plain, pathSteps(path), copyNode(t, &v))
	}
	return plain
}

// document is the changed one.
func (c fieldCase) document(t *testing.T, base yaml.Node) *yaml.Node {
	t.Helper()
	changed := c.plain(t, base)
	setField(changed, pathSteps(c.Field), copyNode(t, &c.Value))
	return changed
}

func pathSteps(path string) []string {
	return strings.Split(strings.NewReplacer("[", ".", "]", "").Replace(path), ".")
}

func (c fieldCase) run(t *testing.T, base yaml.Node, system *fieldSystem) {
	before, after := checked(system.input(t, text(t, c.plain(t, base))).result), checked(system.input(t, text(t, c.document(t, base))).result)
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
