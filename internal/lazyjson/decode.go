package lazyjson

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Decode reads JSON into what a pointer points to, as sigs.k8s.io/json does for the API server:
// names are case-sensitive, unknown fields are ignored, and in a value of any type a whole
// number is an int64.
func Decode(text []byte, into any) error { return decode(&decoder{text: text}, into) }

// Unmarshal is Decode with each number a float64 in a value of any type, as in encoding/json.
func Unmarshal(text []byte, into any) error { return decode(&decoder{text: text, floats: true}, into) }

func decode(d *decoder, into any) error {
	if err := d.value(reflect.ValueOf(into).Elem()); err != nil {
		return err
	}
	if d.space(); d.at < len(d.text) {
		return d.malformed()
	}
	return nil
}

type decoder struct {
	text   []byte
	at     int
	depth  int
	floats bool
}

// deepest is how deep values may be nested, as in encoding/json.
const deepest = 10000

var errDepth = errors.New("exceeded max depth")

func (d *decoder) malformed() error {
	if d.at >= len(d.text) {
		return errors.New("unexpected end of JSON input")
	}
	return fmt.Errorf("invalid character %q in JSON at offset %d", d.text[d.at], d.at)
}

func (d *decoder) space() {
	for d.at < len(d.text) && (d.text[d.at] == ' ' || d.text[d.at] == '\n' || d.text[d.at] == '\t' || d.text[d.at] == '\r') {
		d.at++
	}
}

// peek is the first byte of the next value or punctuation, 0 at the end.
func (d *decoder) peek() byte {
	if d.space(); d.at < len(d.text) {
		return d.text[d.at]
	}
	return 0
}

func (d *decoder) value(v reflect.Value) error {
	if d.peek() == 'n' {
		return d.null(v)
	}
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		}
		return d.value(v.Elem())
	}
	if t := reflect.PointerTo(v.Type()); t.NumMethod() > 0 {
		if t.Implements(unmarshaler) {
			return d.own(v)
		}
		if t.Implements(textUnmarshaler) {
			return d.leave(v)
		}
	}
	switch v.Kind() {
	case reflect.Struct:
		return d.nested('{', func() error { return d.structure(v) })
	case reflect.Map:
		if v.Type().Key().Kind() != reflect.String || reflect.PointerTo(v.Type().Key()).Implements(textUnmarshaler) {
			return d.leave(v)
		}
		return d.nested('{', func() error { return d.mapping(v) })
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return d.leave(v)
		}
		return d.nested('[', func() error { return d.list(v) })
	case reflect.Interface:
		if v.NumMethod() > 0 {
			return d.leave(v)
		}
		return d.anything(v)
	}
	return d.scalar(v)
}

// null leaves out what cannot be nil, as encoding/json does.
func (d *decoder) null(v reflect.Value) error {
	raw, err := d.raw()
	if err != nil {
		return err
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Map, reflect.Slice, reflect.Interface:
		v.SetZero()
		return nil
	}
	return json.Unmarshal(raw, v.Addr().Interface())
}

// own lets a type read its own form.
func (d *decoder) own(v reflect.Value) error {
	raw, err := d.raw()
	if err != nil {
		return err
	}
	return v.Addr().Interface().(json.Unmarshaler).UnmarshalJSON(raw)
}

// leave leaves a value to encoding/json.
func (d *decoder) leave(v reflect.Value) error {
	raw, err := d.raw()
	if err != nil {
		return err
	}
	return json.Unmarshal(raw, v.Addr().Interface())
}

// nested reads a mapping or a list, whose first byte is open.
func (d *decoder) nested(open byte, read func() error) error {
	if d.peek() != open {
		raw, err := d.raw()
		if err != nil {
			return err
		}
		return unfit(raw, open)
	}
	if d.depth++; d.depth > deepest {
		return errDepth
	}
	d.at++
	err := read()
	d.depth--
	return err
}

func unfit(raw []byte, open byte) error {
	if open == '{' {
		return fmt.Errorf("%.40s is not a mapping", raw)
	}
	return fmt.Errorf("%.40s is not a list", raw)
}

// next reports whether a mapping or list goes on, and skips the comma between its parts.
func (d *decoder) next(end byte, first bool) (bool, error) {
	switch c := d.peek(); {
	case c == end:
		d.at++
		return false, nil
	case first:
		return true, nil
	case c == ',':
		d.at++
		if d.peek() != end {
			return true, nil
		}
	}
	return false, d.malformed()
}

func (d *decoder) key() (string, error) {
	if d.peek() != '"' {
		return "", d.malformed()
	}
	key, err := d.str()
	if err != nil {
		return "", err
	}
	if d.peek() != ':' {
		return "", d.malformed()
	}
	d.at++
	return key, nil
}

// pairs reads the keys of a mapping, and lets read read their values.
func (d *decoder) pairs(read func(key string) error) error {
	for first := true; ; first = false {
		more, err := d.next('}', first)
		if !more {
			return err
		}
		key, err := d.key()
		if err != nil {
			return err
		}
		if err := read(key); err != nil {
			return err
		}
	}
}

func (d *decoder) structure(v reflect.Value) error {
	fields := fieldsOf(v.Type())
	return d.pairs(func(key string) error {
		i := slices.IndexFunc(fields, func(f field) bool { return f.name == key })
		if i < 0 {
			_, err := d.raw()
			return err
		}
		return d.value(v.FieldByIndex(fields[i].index))
	})
}

func (d *decoder) mapping(v reflect.Value) error {
	if v.IsNil() {
		v.Set(reflect.MakeMapWithSize(v.Type(), d.length()/2))
	}
	elem := reflect.New(v.Type().Elem()).Elem()
	return d.pairs(func(key string) error {
		elem.SetZero()
		if err := d.value(elem); err != nil {
			return err
		}
		v.SetMapIndex(reflect.ValueOf(key).Convert(v.Type().Key()), elem)
		return nil
	})
}

func (d *decoder) list(v reflect.Value) error {
	n := d.length()
	v.Set(reflect.MakeSlice(v.Type(), n, n))
	for i := 0; ; i++ {
		more, err := d.next(']', i == 0)
		if !more {
			return err
		}
		if i == n {
			return d.malformed()
		}
		if err := d.value(v.Index(i)); err != nil {
			return err
		}
	}
}

// length is how many keys and values the mapping or list has whose first byte was read. Growing it by
// doubling would take twice the memory.
func (d *decoder) length() int {
	ahead, n := *d, 0
	for {
		switch ahead.peek() {
		case ',', ':':
			ahead.at++
			continue
		}
		if _, err := ahead.raw(); err != nil {
			return n // at the end
		}
		n++
	}
}

// anything reads a value whose type nothing says.
func (d *decoder) anything(v reflect.Value) error {
	switch d.peek() {
	case '{':
		m := map[string]any{}
		err := d.value(reflect.ValueOf(&m).Elem())
		v.Set(reflect.ValueOf(m))
		return err
	case '[':
		l := []any{}
		err := d.value(reflect.ValueOf(&l).Elem())
		v.Set(reflect.ValueOf(l))
		return err
	case '"':
		s, err := d.str()
		v.Set(reflect.ValueOf(s))
		return err
	}
	raw, err := d.raw()
	if err != nil {
		return err
	}
	if n, ok := whole(raw); ok && !d.floats {
		v.Set(reflect.ValueOf(n))
		return nil
	}
	return json.Unmarshal(raw, v.Addr().Interface())
}

func (d *decoder) scalar(v reflect.Value) error {
	switch c := d.peek(); {
	case v.Kind() == reflect.String && c == '"':
		s, err := d.str()
		v.SetString(s)
		return err
	case v.CanInt() && c != '"':
		return d.number(v)
	case v.Kind() == reflect.Bool && (c == 't' || c == 'f'):
		raw, err := d.raw()
		if yes := string(raw) == "true"; yes || string(raw) == "false" {
			v.SetBool(yes)
			return nil
		}
		return cmp.Or(err, d.malformed())
	}
	return d.leave(v)
}

func (d *decoder) number(v reflect.Value) error {
	raw, err := d.raw()
	if err != nil {
		return err
	}
	n, ok := whole(raw)
	if !ok || v.OverflowInt(n) {
		return json.Unmarshal(raw, v.Addr().Interface()) // which says what is wrong
	}
	v.SetInt(n)
	return nil
}

// whole is a whole number, and false if JSON has another form for it or none.
func whole(raw []byte) (int64, bool) {
	digits := bytes.TrimPrefix(raw, []byte("-"))
	if len(digits) == 0 || digits[0] < '0' || digits[0] > '9' || digits[0] == '0' && len(digits) > 1 {
		return 0, false
	}
	n, err := strconv.ParseInt(string(raw), 10, 64)
	return n, err == nil
}

// str reads a string.
func (d *decoder) str() (string, error) {
	raw, err := d.raw()
	if err != nil {
		return "", err
	}
	return Unquote(raw)
}

// Unquote returns the text of a string in quotes.
func Unquote(quoted []byte) (string, error) {
	inner := quoted[1 : len(quoted)-1]
	if !slices.ContainsFunc(inner, func(c byte) bool { return c < ' ' || c == '\\' }) && utf8.Valid(inner) {
		return string(inner), nil
	}
	if s, ok := unescaped(inner); ok {
		return s, nil
	}
	var s string
	err := json.Unmarshal(quoted, &s)
	return s, err
}

// unescaped reads the escapes that occur; ok is false where there are others, or a mistake.
func unescaped(inner []byte) (s string, ok bool) {
	var out strings.Builder
	out.Grow(len(inner))
	for i := 0; i < len(inner); i++ {
		c := inner[i]
		if c == '\\' && i+1 < len(inner) {
			i++
			switch c = inner[i]; c {
			case 'n':
				c = '\n'
			case 't':
				c = '\t'
			case '"', '\\', '/':
			default:
				return "", false
			}
		} else if c < ' ' || c == '\\' {
			return "", false
		}
		out.WriteByte(c)
	}
	return out.String(), utf8.ValidString(out.String())
}

// raw skips the next value and returns its text. What is within the brackets of a mapping
// or list need not be valid.
func (d *decoder) raw() ([]byte, error) {
	d.space()
	start, open := d.at, 0
	for ; d.at < len(d.text); d.at++ {
		switch d.text[d.at] {
		case '"':
			if !d.quoted() {
				return nil, d.malformed()
			}
		case '{', '[':
			open++
			continue
		case '}', ']':
			if open--; open < 0 {
				return d.cut(start)
			}
		case ',', ':', ' ', '\n', '\t', '\r':
			if open == 0 {
				return d.cut(start)
			}
			continue
		default:
			if open > 0 || d.at+1 < len(d.text) && !ends(d.text[d.at+1]) {
				continue
			}
		}
		if open == 0 {
			d.at++
			return d.cut(start)
		}
	}
	return nil, d.malformed()
}

func (d *decoder) cut(start int) ([]byte, error) {
	if start == d.at {
		return nil, d.malformed()
	}
	return d.text[start:d.at], nil
}

// ends reports whether a literal ends before c.
func ends(c byte) bool {
	switch c {
	case ',', ':', '}', ']', '{', '[', '"', ' ', '\n', '\t', '\r':
		return true
	}
	return false
}

// quoted moves to the closing quote of a string, and reports whether there is one.
func (d *decoder) quoted() bool {
	for d.at++; d.at < len(d.text); d.at++ {
		switch d.text[d.at] {
		case '"':
			return true
		case '\\':
			d.at++
		}
	}
	return false
}
