package main

import (
	"strconv"
	"strings"

	"cuelang.org/go/cue/ast"

	"github.com/inferstack/inferstack/internal/model"
)

// goJSON is the @go argument that asks for a free-form Go map.
const goJSON = "JSON"

// attributes applies @format, @msg, @k8s and @go to a value. Named types are
// shared, so a change is made on a copy.
func (c *compiler) attributes(v value, f *ast.Field) (value, error) {
	for _, a := range f.Attrs {
		name, body := a.Split()
		text := body
		if s, err := strconv.Unquote(body); err == nil {
			text = s
		}
		ok := true
		switch name {
		case "format":
			v.typ, ok = onScalars(v.typ, func(a *model.Alt) { a.Format = text })
		case "msg":
			v.typ, ok = onScalars(v.typ, func(a *model.Alt) { setMessage(a, text) })
		case "k8s":
			v.typ, ok = upstream(v.typ, text)
		case "go":
			if typ, found := strings.CutPrefix(text, "type="); found {
				v.typ, ok = wide(v.typ, typ)
			}
		default:
			ok = false
		}
		if !ok {
			return value{}, refuse(a, "@%s(%s) cannot be combined with this value", name, body)
		}
	}
	return v, nil
}

// onScalars copies a type down to its scalars and changes their alternatives.
func onScalars(t *model.Type, change func(*model.Alt)) (*model.Type, bool) {
	out := clone(t)
	switch t.Kind {
	case model.Scalar:
		out.Name = ""
		for i := range out.Alts {
			change(&out.Alts[i])
		}
		return out, true
	case model.List, model.Map:
		elem, ok := onScalars(t.Elem, change)
		out.Elem = elem
		return out, ok
	}
	return nil, false
}

// setMessage puts words on every pattern that has none.
func setMessage(a *model.Alt, msg string) {
	for i := range a.Patterns {
		if a.Patterns[i].Msg == "" {
			a.Patterns[i].Msg = msg
		}
	}
}

// upstream marks a free mapping, or those in a list or map, as an upstream Go
// type; a scalar only gets that Go type.
func upstream(t *model.Type, name string) (*model.Type, bool) {
	_, ok := splitUpstream(name)
	if !ok {
		return nil, false
	}
	out := clone(t)
	out.Name = ""
	switch t.Kind {
	case model.Object:
		out.Kind, out.GoType = model.Upstream, name
		return out, true
	case model.Scalar:
		out.GoType = name
		return out, true
	case model.List, model.Map:
		out.Elem, ok = upstream(t.Elem, name)
		return out, ok
	}
	return nil, false
}

// wide gives the integers of a type another Go type.
func wide(t *model.Type, goType string) (*model.Type, bool) {
	if goType != "int64" {
		return nil, false
	}
	out, ok := onScalars(t, func(a *model.Alt) { a.Wide = true })
	return out, ok
}
