package lazyjson

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strconv"
)

// Append appends a value as encoding/json writes it, without the escapes for HTML. It panics on
// one that does not marshal.
func Append(out []byte, v any) []byte { return appendValue(out, reflect.ValueOf(v)) }

func appendValue(out []byte, v reflect.Value) []byte {
	if !v.IsValid() || (v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface) && v.IsNil() {
		return append(out, "null"...)
	}
	if marshals(v) {
		return appendMarshalled(out, v)
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		return appendValue(out, v.Elem())
	case reflect.Struct:
		return appendStruct(out, v)
	case reflect.Map:
		return appendMap(out, v)
	case reflect.Slice:
		return appendSlice(out, v)
	case reflect.String:
		return AppendString(out, v.String())
	case reflect.Bool:
		return strconv.AppendBool(out, v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return strconv.AppendInt(out, v.Int(), 10)
	}
	return appendMarshalled(out, v)
}

// marshals reports whether a value has a form of its own in JSON.
func marshals(v reflect.Value) bool {
	t := v.Type()
	if v.Kind() != reflect.Pointer && v.CanAddr() {
		t = reflect.PointerTo(t)
	}
	return t.NumMethod() > 0 && (t.Implements(marshaler) || t.Implements(textMarshaler))
}

// appendMarshalled leaves a value to encoding/json. It panics on one that does not marshal.
func appendMarshalled(out []byte, v reflect.Value) []byte {
	if v.CanAddr() {
		v = v.Addr()
	}
	var text bytes.Buffer
	if err := NewEncoder(&text, "").Encode(v.Interface()); err != nil {
		panic(fmt.Sprintf("lazyjson: %s does not marshal: %v", v.Type(), err))
	}
	return append(out, bytes.TrimSuffix(text.Bytes(), []byte("\n"))...)
}

// NewEncoder is an encoder of encoding/json that writes no escapes for HTML either.
func NewEncoder(w io.Writer, indent string) *json.Encoder {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", indent)
	return enc
}

func appendStruct(out []byte, v reflect.Value) []byte {
	out = append(out, '{')
	first := len(out)
	for _, f := range fieldsOf(v.Type()) {
		value, ok := f.of(v)
		if !ok {
			continue
		}
		if len(out) > first {
			out = append(out, ',')
		}
		out = append(append(append(out, '"'), f.name...), '"', ':')
		out = appendValue(out, value)
	}
	return append(out, '}')
}

func appendMap(out []byte, v reflect.Value) []byte {
	if v.IsNil() {
		return append(out, "null"...)
	}
	if v.Type().Key().Kind() != reflect.String || v.Type().Key().Implements(textMarshaler) {
		return appendMarshalled(out, v)
	}
	keys := v.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int { return cmp.Compare(a.String(), b.String()) })
	out = append(out, '{')
	for i, key := range keys {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(AppendString(out, key.String()), ':')
		out = appendValue(out, v.MapIndex(key))
	}
	return append(out, '}')
}

func appendSlice(out []byte, v reflect.Value) []byte {
	if v.IsNil() {
		return append(out, "null"...)
	}
	if v.Type().Elem().Kind() == reflect.Uint8 {
		return appendMarshalled(out, v)
	}
	out = append(out, '[')
	for i := range v.Len() {
		if i > 0 {
			out = append(out, ',')
		}
		out = appendValue(out, v.Index(i))
	}
	return append(out, ']')
}

// AppendString appends a string in quotes.
func AppendString(out []byte, s string) []byte {
	start, from := len(out), 0
	out = append(out, '"')
	for i := range len(s) {
		c := s[i]
		switch {
		case c == '\n':
			c = 'n'
		case c == '\t':
			c = 't'
		case c == '"' || c == '\\':
		case c < ' ' || c > '~':
			return appendMarshalled(out[:start], reflect.ValueOf(s))
		default:
			continue
		}
		out = append(append(out, s[from:i]...), '\\', c)
		from = i + 1
	}
	return append(append(out, s[from:]...), '"')
}

// of returns the field's value, and false if the field is left out.
func (f field) of(v reflect.Value) (reflect.Value, bool) {
	for _, i := range f.index {
		v = v.Field(i)
	}
	left := f.omitEmpty && empty(v) || f.omitZero && zero(v)
	return v, !left
}

func empty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Array, reflect.Map, reflect.Slice, reflect.String:
		return v.Len() == 0
	case reflect.Struct:
		return false
	}
	return v.IsZero()
}

func zero(v reflect.Value) bool {
	if v.Kind() == reflect.Pointer && v.IsNil() {
		return true
	}
	if v.CanAddr() {
		v = v.Addr()
	}
	if own, ok := v.Interface().(interface{ IsZero() bool }); ok {
		return own.IsZero()
	}
	return reflect.Indirect(v).IsZero()
}
