package document

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/internal/model"
	"github.com/inferstack/inferstack/internal/pattern"
)

// advice says what to write in the place of an empty section.
func advice(t *model.Type, p *place) string {
	var needs []string
	for _, f := range t.Fields {
		if f.Required {
			needs = append(needs, f.Name)
		}
	}
	switch {
	case len(needs) == 0:
		return "write {} for all defaults, or remove the field"
	case p.path() == "spec" || p.path() == "metadata":
		return "it needs " + strings.Join(needs, " and ")
	}
	return "it needs " + strings.Join(needs, " and ") + ", or remove the field"
}

// such is an example of the mapping or the list that a field takes instead of what is written, to put
// behind a message; empty where there is none to make.
func such(t *model.Type, written *yaml.Node) string {
	switch t.Kind {
	case model.Struct:
		if text := exampleOf(t, written); text != "" {
			return "; write fields, as in " + text
		}
		return "; {} stands for all defaults"
	case model.List:
		switch t.Elem.Kind {
		case model.Struct:
			if text := exampleOf(t.Elem, written); text != "" {
				return "; write items, as in [" + text + "]"
			}
		case model.Scalar:
			return "; write [ ] around a single item"
		}
	}
	return ""
}

// exampleOf writes the field of a section that what is written seems to be meant for, or the required
// ones, or else one with a default.
func exampleOf(t *model.Type, written *yaml.Node) string {
	var required []string
	for i := range t.Fields {
		f := &t.Fields[i]
		if written.Kind == yaml.ScalarNode && slices.Contains(valuesOf(f), any(written.Value)) {
			return fmt.Sprintf("{%s: %s}", f.Name, written.Value)
		}
		if f.Required {
			required = append(required, f.Name+": "+valueOf(f, written))
		}
	}
	if len(required) > 0 {
		return "{" + strings.Join(required, ", ") + "}"
	}
	for _, shown := range []func(f *model.Field) bool{hasChoice, hasNumber, hasSwitch} {
		for i := range t.Fields {
			if f := &t.Fields[i]; shown(f) {
				return fmt.Sprintf("{%s: %v}", f.Name, f.Default)
			}
		}
	}
	return ""
}

// valueOf is a value of a required field: one of those that it takes, or a text that is written where
// the section belongs.
func valueOf(f *model.Field, written *yaml.Node) string {
	if all := valuesOf(f); len(all) > 0 {
		return fmt.Sprint(all[0])
	}
	const plain = `^[A-Za-z0-9./_-]{1,80}$`
	if written.ShortTag() == "!!str" && f.Type.Kind == model.Scalar && f.Type.Alts[0].Basic == model.String && pattern.Matches(plain, written.Value) {
		return written.Value
	}
	return "…"
}

// valuesOf are those that a field takes, if it takes no others.
func valuesOf(f *model.Field) []any {
	if len(f.Type.Alts) == 0 {
		return nil
	}
	return f.Type.Alts[0].Values
}

func hasNumber(f *model.Field) bool {
	switch f.Default.(type) {
	case int64, float64:
		return true
	}
	return false
}

func hasChoice(f *model.Field) bool {
	_, text := f.Default.(string)
	return text && len(valuesOf(f)) > 0
}

func hasSwitch(f *model.Field) bool { _, yes := f.Default.(bool); return yes }
