package document

import (
	"fmt"
	"slices"
	"strings"

	"github.com/inferstack/inferstack/internal/model"
	"github.com/inferstack/inferstack/internal/near"
)

// choices are the keys that a mapping may have, and those of them that it does not have yet.
type choices struct{ names, free []string }

func choicesOf(names []string, written []pair) choices {
	have := make(map[string]bool, len(written))
	for _, p := range written {
		have[p.key.Value] = true
	}
	return choices{names, slices.DeleteFunc(slices.Clone(names), func(n string) bool { return have[n] })}
}

// unknownKey reports a key that is none of the choices, and returns the one it was most
// likely meant to be.
func (w *walker) unknownKey(at *place, c choices) string {
	names, free := c.names, c.free
	guess := near.Of(at.name, free)
	hint := ""
	switch twin := near.Of(at.name, names); {
	case neighbours[at.name] != "" && !w.lenient:
		hint = neighbour(at.name) // nobody mistypes another system's word
	case guess != "":
		hint = fmt.Sprintf("; did you mean %q?", guess)
	case twin != "":
		hint = fmt.Sprintf("; it resembles %q, which is written too", twin)
	case !w.lenient: // the document of another system has none of a stack's fields
		hint = neighbour(at.name)
	case len(free) == 0:
		free = names
	}
	if hint == "" && len(free) > 0 && len(free) <= 12 {
		hint = "; known here: " + strings.Join(free, ", ")
	}
	w.reportAt(at, at.key, RuleUnknown, "unknown field%s", hint)
	return guess
}

func fieldNames(t *model.Type) []string {
	out := make([]string, len(t.Fields))
	for i := range t.Fields {
		out[i] = t.Fields[i].Name
	}
	return out
}

// neighbour says what a stack has in the place of a field that another system has, or where
// in the spec a field of this name lives.
func neighbour(name string) string {
	if hint := neighbours[name]; hint != "" {
		return "; " + hint
	}
	return elsewhere(name)
}

// elsewhere says where in the spec a field of this name lives, when there are few
// such places.
func elsewhere(name string) string {
	level := []stretch{{"spec", root.Lookup("spec").Type}}
	for range 3 {
		var found []string
		var next []stretch
		for _, p := range level {
			for i := range p.typ.Fields {
				f := &p.typ.Fields[i]
				path := p.path + "." + f.Name
				if f.Name == name {
					found = append(found, path)
				}
				if f.Type.Kind == model.Struct {
					next = append(next, stretch{path, f.Type})
				}
			}
		}
		if len(found) > 0 && len(found) <= 5 {
			return "; there is " + strings.Join(found, ", ")
		}
		if len(found) > 0 {
			return ""
		}
		level = next
	}
	return ""
}

// A stretch is a struct of the spec and the way to it.
type stretch struct {
	path string
	typ  *model.Type
}
