package eppconfig

import (
	"fmt"
	"go/types"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/inferstack/inferstack/conformance/assets"
	"github.com/inferstack/inferstack/internal/sorted"
	"github.com/inferstack/inferstack/release"
)

// differing are what the catalogue and a picker's source do not both have, or not alike, and why.
var differing = map[string]map[string]string{
	"epp-llmd-0.7": {
		"precise-prefix-cache-scorer.tokenProcessorConfig.blockSizeTokens: not in the catalogue": "the loader is built with llm-d-kv-cache v0.9.0; v0.7.1, which it asks for, has none",
	},
}

// TestStructs holds the catalogue's plugins and parameters to the structs that the pickers' source decodes them into,
// both ways.
func TestStructs(t *testing.T) {
	root, err := assets.Root()
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range loaders {
		t.Run(l.component, func(t *testing.T) {
			d, err := release.LoadDialect(l.dialect)
			if err != nil {
				t.Fatal(err)
			}
			source, err := readSource(filepath.Join(root, "build", l.component))
			if err != nil {
				t.Fatal(err)
			}
			found := differences(d, source)
			for _, difference := range found {
				if differing[l.component][difference] == "" {
					t.Error(difference)
				}
			}
			for difference := range differing[l.component] {
				if !slices.Contains(found, difference) {
					t.Errorf("holds no more: %s", difference)
				}
			}
		})
	}
}

// differences between the catalogue and the source, in order.
func differences(d *release.Dialect, source *registered) []string {
	var out []string
	for _, name := range union(source.gates, d.Gates) {
		if _, known := d.Gates.Find(name); known != source.gates[name] {
			out = append(out, fmt.Sprintf("gate %s: catalogue %v, source %v", name, known, source.gates[name]))
		}
	}
	known := map[string]bool{}
	for i := range d.Plugins {
		known[d.Plugins[i].Type] = true
	}
	for _, name := range union(source.plugins, sorted.Of(known)) {
		into, registered := source.plugins[name]
		if p := d.Plugin(name); p == nil || !registered {
			out = append(out, fmt.Sprintf("plugin %s: catalogue %v, source %v", name, p != nil, registered))
		} else {
			out = append(out, compareParameters(p, append(into, source.plugins[p.SpeaksFor]...))...)
		}
	}
	return append(out, compareTypes("config", d.Config, []types.Type{source.config})...)
}

func union[A, B any](a map[string]A, b sorted.Map[B]) []string {
	return slices.Compact(slices.Sorted(func(yield func(string) bool) {
		for name := range maps.Keys(a) {
			if !yield(name) {
				return
			}
		}
		for name := range b.All() {
			if !yield(name) {
				return
			}
		}
	}))
}

func compareParameters(p *release.Plugin, into []types.Type) []string {
	switch {
	case len(into) == 0 && p.Parameters != nil:
		return []string{p.Type + ": the source reads no parameters"}
	case len(into) == 0:
		return nil
	case p.Parameters == nil:
		return []string{p.Type + ": the source reads parameters"}
	}
	return compareTypes(p.Type, p.Parameters, into)
}

// compareTypes compares a schema with the types of a value, of which each may have some of its fields.
func compareTypes(at string, s *release.Schema, into []types.Type) []string {
	want := kind(into[0])
	if s.Refused != "" {
		return nil
	}
	if got := plainKind(s.Type); got != want {
		return []string{fmt.Sprintf("%s: catalogue %q, source %q", at, got, want)}
	}
	switch want {
	case release.TypeList, release.TypeMap:
		if s.Items == nil {
			return []string{at + ": the catalogue has no items"}
		}
		return compareTypes(at+"[]", s.Items, []types.Type{element(into[0])})
	case release.TypeObject:
		return compareFields(at, s, into)
	}
	return nil
}

func compareFields(at string, s *release.Schema, into []types.Type) []string {
	var out []string
	fields := map[string][]types.Type{}
	for _, t := range into {
		for name, field := range fieldsOf(t) {
			name = spelt(name, s.Fields)
			fields[name] = append(fields[name], field)
		}
	}
	for _, name := range union(fields, s.Fields) {
		field, known := fields[name], s.Fields.Get(name)
		switch where := at + "." + name; {
		case known == nil:
			out = append(out, where+": not in the catalogue")
		case field == nil:
			out = append(out, where+": not in the source")
		default:
			out = append(out, compareTypes(where, known, field)...)
		}
	}
	return out
}

// spelt is a name as the catalogue spells it: JSON is read without regard to case.
func spelt(name string, known sorted.Map[*release.Schema]) string {
	for other := range known.All() {
		if strings.EqualFold(name, other) {
			return other
		}
	}
	return name
}

// fieldsOf are the fields of a struct by their names in JSON.
func fieldsOf(t types.Type) map[string]types.Type {
	out := map[string]types.Type{}
	s := t.Underlying().(*types.Struct)
	for i := range s.NumFields() {
		field := s.Field(i)
		name, _, _ := strings.Cut(reflect.StructTag(s.Tag(i)).Get("json"), ",")
		switch {
		case field.Name() == "TypeMeta" || name == "-" || !field.Exported():
		case field.Embedded() && name == "":
			maps.Copy(out, fieldsOf(bare(field.Type())))
		case name == "":
			out[field.Name()] = bare(field.Type())
		default:
			out[name] = bare(field.Type())
		}
	}
	return out
}

// bare is what a pointer points to.
func bare(t types.Type) types.Type {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		return bare(p.Elem())
	}
	return types.Unalias(t)
}

// kinds are those of types that decode themselves, or mean more than they are.
var kinds = map[string]string{
	"k8s.io/apimachinery/pkg/apis/meta/v1.Duration":      release.TypeDuration,
	"k8s.io/apimachinery/pkg/api/resource.Quantity":      release.TypeQuantity,
	"k8s.io/apimachinery/pkg/apis/meta/v1.LabelSelector": release.TypeLabelSelector,
	"time.Duration":            release.TypeNanoseconds,
	"encoding/json.RawMessage": "",
}

// kind is the schema's type of a Go type.
func kind(t types.Type) string {
	t = bare(t)
	if named, ok := kinds[t.String()]; ok {
		return named
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		return release.TypeObject
	case *types.Slice:
		return release.TypeList
	case *types.Map:
		return release.TypeMap
	case *types.Basic:
		switch {
		case u.Info()&types.IsBoolean != 0:
			return release.TypeBool
		case u.Info()&types.IsInteger != 0:
			return release.TypeInt
		case u.Info()&types.IsFloat != 0:
			return release.TypeFloat
		case u.Info()&types.IsString != 0:
			return release.TypeString
		}
	}
	return t.String()
}

// plainKind leaves out what a text must be.
func plainKind(kind string) string {
	if kind == release.TypeDurationText {
		return release.TypeString
	}
	return kind
}

func element(t types.Type) types.Type {
	switch u := bare(t).Underlying().(type) {
	case *types.Slice:
		return bare(u.Elem())
	case *types.Map:
		return bare(u.Elem())
	}
	return t
}
