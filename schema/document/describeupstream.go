package document

import (
	"encoding/json"
	"maps"
	"reflect"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// patched is what a podTemplatePatch is merged over: it may have any of its fields.
var patched = reflect.TypeFor[corev1.PodTemplateSpec]()

// documented is an upstream type that carries what its fields are for (k8s.io/api,
// types_swagger_doc_generated.go).
type documented interface {
	SwaggerDoc() map[string]string
}

// expand gives a description of an upstream type its fields, as deep as they go.
func (d *Description) expand() {
	t := d.upstream
	if t == nil || len(d.Fields) > 0 {
		return
	}
	texts := docs(t)
	for _, f := range goFields(t) {
		typ, bare := goTypeName(f.typ)
		child := Description{
			Path: d.Path + "." + f.name, Name: f.name, Type: typ, Required: f.required && !d.patch, Text: texts[f.name], upstream: bare, patch: d.patch, free: anyFields(f.typ),
		}
		child.expand()
		d.Fields = append(d.Fields, child)
	}
}

// docs are the texts of a struct's fields, with those of the structs it embeds.
func docs(t reflect.Type) map[string]string {
	out := map[string]string{}
	for i := range t.NumField() {
		if f := t.Field(i); f.Anonymous && f.Type.Kind() == reflect.Struct {
			maps.Copy(out, docs(f.Type))
		}
	}
	if d, ok := reflect.Zero(t).Interface().(documented); ok {
		maps.Copy(out, d.SwaggerDoc())
	}
	return out
}

// anyFields says that a Go type, or an element of it, has fields of any name: it is a map, or reads JSON
// by itself as what has no type.
func anyFields(t reflect.Type) bool {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	name, _ := goTypeName(t)
	return t.Kind() == reflect.Map || name == "Object" || name == "any"
}

// goTypeName is a Go type as kubectl explain writes it, and the struct in it, if any.
func goTypeName(t reflect.Type) (string, reflect.Type) {
	switch t {
	case reflect.TypeFor[resource.Quantity]():
		return "Quantity", nil
	case reflect.TypeFor[intstr.IntOrString]():
		return "integer|string", nil
	case reflect.TypeFor[metav1.Time](), reflect.TypeFor[metav1.MicroTime](), reflect.TypeFor[metav1.Duration]():
		return "string", nil
	}
	if reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]()) {
		return "Object", nil
	}
	switch t.Kind() {
	case reflect.Pointer:
		return goTypeName(t.Elem())
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return "string", nil
		}
		name, bare := goTypeName(t.Elem())
		return "[]" + name, bare
	case reflect.Map:
		name, _ := goTypeName(t.Elem())
		return "map[string]" + name, nil
	case reflect.Struct:
		return t.Name(), t
	}
	if m := scalarModel(t); m != nil {
		return scalarName(m), nil
	}
	return "any", nil
}
