package schema

import (
	"fmt"
	"strings"

	"github.com/inferstack/inferstack/internal/model"
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

// such is an example of the mapping or the list that a field takes, to put behind a message;
// empty where there is none to make.
func such(t *model.Type) string {
	switch t.Kind {
	case model.Struct:
		if text := exampleOf(t); text != "" {
			return "; write fields, as in " + text
		}
		return "; {} stands for all defaults"
	case model.List:
		switch t.Elem.Kind {
		case model.Struct:
			if text := exampleOf(t.Elem); text != "" {
				return "; write items, as in [" + text + "]"
			}
		case model.Scalar:
			return "; write [ ] around a single item"
		}
	}
	return ""
}

// exampleOf writes the required fields of a section, or else one with a default.
func exampleOf(t *model.Type) string {
	var fields []string
	for i := range t.Fields {
		if f := &t.Fields[i]; f.Required {
			value := any("…")
			if len(f.Type.Alts) > 0 && len(f.Type.Alts[0].Values) > 0 {
				value = f.Type.Alts[0].Values[0]
			}
			fields = append(fields, fmt.Sprintf("%s: %v", f.Name, value))
		}
	}
	for i := range t.Fields {
		switch value := t.Fields[i].Default.(type) {
		case int64, float64, bool:
			if len(fields) == 0 {
				fields = append(fields, fmt.Sprintf("%s: %v", t.Fields[i].Name, value))
			}
		}
	}
	if len(fields) == 0 {
		return ""
	}
	return "{" + strings.Join(fields, ", ") + "}"
}
