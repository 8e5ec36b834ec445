// Package lazyjson reads and writes Go values as encoding/json does, but looks at a type only
// when a value of it is met. encoding/json prepares itself for each type below that of a value
// before it reads or writes the first byte; an object of the Kubernetes API has several hundred
// of them, and in a program that handles one stack and ends, that preparation took as much
// memory as the stack's objects themselves. What is rare is left to encoding/json, and tests
// hold the two together.
package lazyjson

import (
	"cmp"
	"encoding"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"sync"
)

var (
	marshaler       = reflect.TypeFor[json.Marshaler]()
	unmarshaler     = reflect.TypeFor[json.Unmarshaler]()
	textMarshaler   = reflect.TypeFor[encoding.TextMarshaler]()
	textUnmarshaler = reflect.TypeFor[encoding.TextUnmarshaler]()
)

// A field is a field of a struct as JSON has it.
type field struct {
	name                string
	index               []int
	omitEmpty, omitZero bool
}

var structs sync.Map // reflect.Type to []field

// fieldsOf returns the fields of a struct type in the order in which they are written.
func fieldsOf(t reflect.Type) []field {
	if known, ok := structs.Load(t); ok {
		return known.([]field)
	}
	fields := flatten(nil, t, nil)
	if slices.ContainsFunc(fields, func(f field) bool { return len(f.index) > 1 }) {
		all := slices.Clone(fields)
		fields = slices.DeleteFunc(fields, func(f field) bool {
			return slices.ContainsFunc(all, func(g field) bool { return g.name == f.name && len(g.index) < len(f.index) })
		})
	}
	structs.Store(t, fields)
	return fields
}

// flatten adds the fields of a struct and of those embedded in it. No type that is read or
// written embeds a pointer, or two structs with a field of one name.
func flatten(fields []field, t reflect.Type, at []int) []field {
	fields = slices.Grow(fields, t.NumField())
	for i := range t.NumField() {
		f := t.Field(i)
		tag := f.Tag.Get("json")
		name, options, _ := strings.Cut(tag, ",")
		index := append(slices.Clip(at), i)
		switch {
		case f.Anonymous && name == "" && f.Type.Kind() == reflect.Struct:
			fields = flatten(fields, f.Type, index) // that of an unexported type, too
		case tag == "-" || !f.IsExported():
		default:
			fields = append(fields, field{
				name: cmp.Or(name, f.Name), index: index,
				omitEmpty: strings.Contains(options, "omitempty"), omitZero: strings.Contains(options, "omitzero"),
			})
		}
	}
	return fields
}
