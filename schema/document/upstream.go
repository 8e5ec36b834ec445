package document

import (
	"encoding/json"
	"reflect"
	"strings"

	"go.yaml.in/yaml/v3"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	kjson "sigs.k8s.io/json"

	"github.com/inferstack/inferstack/admission"
	"github.com/inferstack/inferstack/finding"
	"github.com/inferstack/inferstack/internal/model"
)

// The models of upstream types whose JSON form is not that of their Go form.
var (
	quantityModel    = model.Type{Kind: model.Scalar, Alts: []model.Alt{{Basic: model.String | model.Int | model.Number, Format: "quantity"}}}
	intOrStringModel = model.Type{Kind: model.Scalar, Alts: []model.Alt{{Basic: model.Int | model.String}}}
	stringModel      = model.Type{Kind: model.Scalar, Alts: []model.Alt{{Basic: model.String}}}
	boolModel        = model.Type{Kind: model.Scalar, Alts: []model.Alt{{Basic: model.Bool}}}
	int32Model       = model.Type{Kind: model.Scalar, Alts: []model.Alt{{Basic: model.Int}}}
	int64Model       = model.Type{Kind: model.Scalar, Alts: []model.Alt{{Basic: model.Int, Wide: true}}}
	numberModel      = model.Type{Kind: model.Scalar, Alts: []model.Alt{{Basic: model.Int | model.Number}}}
)

// upstream checks a mapping against the JSON fields of an upstream Go type, and
// then by decoding it.
func (w *walker) upstream(t *model.Type, p *place) bool {
	n := resolve(p.node)
	if !w.kind(p, n, yaml.MappingNode) {
		return false
	}
	if w.plain {
		return w.free(p)
	}
	start, before := len(w.out), len(w.problems)
	rt := upstreamType(t.GoType)
	if !w.reflected(rt, p) || len(w.problems) > before {
		return false
	}
	value := reflect.New(rt).Interface()
	strict, err := kjson.UnmarshalStrict(w.out[start:], value)
	if err == nil && len(strict) > 0 {
		err = strict[0]
	}
	if err != nil {
		w.problem(p, nil, "not a Kubernetes %s: %s", rt.Name(), strings.TrimPrefix(err.Error(), "json: "))
		return false
	}
	w.admit(value, p)
	return true
}

// admit reports what an API server would refuse in a value. The value is kept: what else
// is wrong does not follow from it.
func (w *walker) admit(value any, p *place) {
	list := p
	if list.name == "" && list.up != nil {
		list = list.up
	}
	for _, flaw := range admission.Value(value, list.name) {
		at := p
		for _, step := range finding.Steps(flaw.Path) {
			next := at.child(step)
			if next == nil {
				next = &place{up: at, name: step, index: -1}
			}
			at = next
		}
		w.problem(at, nil, "%s", flaw.Message)
	}
}

var unmarshaler = reflect.TypeFor[json.Unmarshaler]()

// none writes an empty value of a type.
func (w *walker) none(t reflect.Type) bool {
	if t.Kind() == reflect.Slice {
		w.out = append(w.out, "[]"...)
	} else {
		w.out = append(w.out, "{}"...)
	}
	return true
}

// reflected checks a value against a Go type and writes it.
func (w *walker) reflected(t reflect.Type, p *place) bool {
	n := resolve(p.node)
	switch {
	case w.void[n]:
		return false
	case n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null":
		w.problem(p, nil, "must not be null; give it a value, write {} or [] for an empty one, or remove the field")
		return false
	}
	switch t {
	case reflect.TypeFor[resource.Quantity]():
		return w.scalar(&quantityModel, p)
	case reflect.TypeFor[intstr.IntOrString]():
		return w.scalar(&intOrStringModel, p)
	case reflect.TypeFor[metav1.Time](), reflect.TypeFor[metav1.MicroTime](), reflect.TypeFor[metav1.Duration]():
		return w.scalar(&stringModel, p)
	}
	if reflect.PointerTo(t).Implements(unmarshaler) {
		return w.free(p)
	}
	switch t.Kind() {
	case reflect.Pointer:
		return w.reflected(t.Elem(), p)
	case reflect.Struct, reflect.Map, reflect.Slice:
		if w.lenient && n.Kind != yaml.ScalarNode && len(n.Content) == 0 { // {} for [] says nothing either
			return w.none(t)
		}
	}
	switch t.Kind() {
	case reflect.Struct:
		return w.kind(p, n, yaml.MappingNode) && w.goStruct(t, p)
	case reflect.Map:
		return w.kind(p, n, yaml.MappingNode) && w.goMap(t, p)
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return w.scalar(&stringModel, p)
		}
		return w.kind(p, n, yaml.SequenceNode) && w.goSlice(t, p)
	}
	if m := scalarModel(t); m != nil {
		return w.scalar(m, p)
	}
	return w.free(p)
}

func scalarModel(t reflect.Type) *model.Type {
	switch t.Kind() {
	case reflect.String:
		return &stringModel
	case reflect.Bool:
		return &boolModel
	case reflect.Int32, reflect.Int16, reflect.Int8, reflect.Uint8, reflect.Uint16:
		return &int32Model
	case reflect.Int, reflect.Int64, reflect.Uint, reflect.Uint32, reflect.Uint64:
		return &int64Model
	case reflect.Float32, reflect.Float64:
		return &numberModel
	}
	return nil
}

// A goField is a JSON field of a Go struct.
type goField struct {
	name     string
	typ      reflect.Type
	required bool
}

// goFields lists the JSON fields of a struct, inlined ones included, unless the struct
// has one of that name itself. A field without omitempty is a required one by the
// conventions of the Kubernetes API, unless it is a pointer.
func goFields(t reflect.Type) []goField {
	var out, inlined []goField
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case name == "-":
		case f.Anonymous && name == "":
			inlined = append(inlined, goFields(f.Type)...)
		case name == "":
		default:
			optional := strings.Contains(options, "omitempty") || strings.Contains(options, "omitzero") || f.Type.Kind() == reflect.Pointer
			out = append(out, goField{name, f.Type, !optional})
		}
	}
	for _, f := range inlined {
		if lookup(out, f.name) == nil {
			out = append(out, f)
		}
	}
	return out
}

func (w *walker) goStruct(t reflect.Type, p *place) bool {
	fields := goFields(t)
	written := pairs(p.node)
	ok := true
	meant := map[string]bool{}
	var known *choices
	w.out = append(w.out, '{')
	for _, pr := range written {
		if w.lenient && null(resolve(pr.value)) {
			continue
		}
		at := &place{up: p, name: pr.key.Value, index: -1, key: pr.key, node: pr.value}
		f := lookup(fields, at.name)
		if f == nil {
			if known == nil {
				all := choicesOf(goNames(fields), written)
				known = &all
			}
			meant[w.unknownKey(at, *known)] = true
			continue
		}
		before := len(w.out)
		w.key(at.name)
		if !w.reflected(f.typ, at) {
			ok, w.out = false, w.out[:before]
			continue
		}
		w.out = append(w.out, ',')
	}
	for _, f := range fields {
		if f.required && !has(written, f.name) && !meant[f.name] {
			w.problemMissing(&place{up: p, name: f.name, index: -1})
		}
	}
	w.close('}')
	return ok
}

func lookup(fields []goField, name string) *goField {
	for i := range fields {
		if fields[i].name == name {
			return &fields[i]
		}
	}
	return nil
}

func goNames(fields []goField) []string {
	names := make([]string, len(fields))
	for i := range fields {
		names[i] = fields[i].name
	}
	return names
}

func (w *walker) goMap(t reflect.Type, p *place) bool {
	ok := true
	w.out = append(w.out, '{')
	for _, pr := range pairs(p.node) {
		at := &place{up: p, name: pr.key.Value, index: -1, key: pr.key, node: pr.value}
		ok = w.mapKey(&stringModel, at, pr.key) && ok
		w.key(at.name)
		ok = w.reflected(t.Elem(), at) && ok
		w.out = append(w.out, ',')
	}
	w.close('}')
	return ok
}

func (w *walker) goSlice(t reflect.Type, p *place) bool {
	ok := true
	w.out = append(w.out, '[')
	for i, c := range resolve(p.node).Content {
		ok = w.reflected(t.Elem(), &place{up: p, index: i, node: c}) && ok
		w.out = append(w.out, ',')
	}
	w.close(']')
	return ok
}
