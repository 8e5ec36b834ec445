package schema

import (
	"reflect"
	"testing"
)

// TestVariantsInherit sets each field of a variant, and each of a pod in the role, and finds it in
// what becomes of the two.
func TestVariantsInherit(t *testing.T) {
	for _, f := range reflect.VisibleFields(reflect.TypeFor[Variant]()) {
		if f.Anonymous || f.Name == "Name" {
			continue
		}
		v, r := &Variant{}, &Role{}
		written := reflect.ValueOf(v).Elem().FieldByIndex(f.Index)
		fill(written)
		got := reflect.ValueOf(v.of(r)).Elem().FieldByName(f.Name)
		if got.Kind() != reflect.Pointer && written.Kind() == reflect.Pointer {
			written = written.Elem()
		}
		if !reflect.DeepEqual(got.Interface(), written.Interface()) {
			t.Errorf("%s of a variant is lost: %v", f.Name, got)
		}
		inherited := reflect.ValueOf(r).Elem().FieldByName(f.Name)
		fill(inherited)
		if got := reflect.ValueOf((&Variant{}).of(r)).Elem().FieldByName(f.Name); !reflect.DeepEqual(got.Interface(), inherited.Interface()) {
			t.Errorf("%s of the role is lost: %v", f.Name, got)
		}
	}
}

// fill gives a value something that is not nothing.
func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(reflect.ValueOf("a"), reflect.Zero(v.Type().Elem()))
	case reflect.String:
		v.SetString("a")
	case reflect.Int32:
		v.SetInt(7)
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Field(i); f.CanSet() && f.Kind() == reflect.Int32 {
				fill(f)
			}
		}
	}
}

// TestVariantsAreOfTheirRole knows a variant, which is made, by the role that it is of.
func TestVariantsAreOfTheirRole(t *testing.T) {
	s := &Stack{Spec: Spec{Prefill: &Role{Variants: []Variant{{Name: "a"}}}}}
	s.ReadFrom(nil)
	for _, w := range s.Workloads() {
		if s.isPrefill(w.Role) != (w.RoleName == RolePrefill) || s.isEncode(w.Role) {
			t.Errorf("%s is taken for another role", w.Path)
		}
	}
}
