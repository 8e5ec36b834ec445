package document

import (
	"encoding/json"
	"strings"

	"github.com/inferstack/inferstack/internal/model"
)

// accepts says what a value may be, after the number of items of the list it is in.
func accepts(t *model.Type, items string) string {
	if t.Kind != model.Scalar {
		return items
	}
	words := expectation(t, scalar{})
	if items == "" {
		return words
	}
	return items + ", each " + words
}

// literal is a default as one writes it. YAML takes JSON.
func literal(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // constants of the schema
	}
	return string(text)
}

// typeName is a type as kubectl explain writes it.
func typeName(t *model.Type) string {
	switch t.Kind {
	case model.List:
		return "[]" + typeName(t.Elem)
	case model.Map:
		return "map[string]" + typeName(t.Elem)
	case model.Scalar:
		return scalarName(t)
	case model.Upstream:
		pkg, name, _ := strings.Cut(t.GoType, ".")
		return name + " (" + pkg + ")"
	case model.Any:
		return "any"
	default:
		return "Object"
	}
}

func scalarName(t *model.Type) string {
	if len(t.Alts) == 1 && t.Alts[0].Format == "quantity" {
		return "Quantity"
	}
	var names []string
	for _, b := range []struct {
		basic model.Basic
		name  string
	}{{model.String, "string"}, {model.Int, "integer"}, {model.Number, "number"}, {model.Bool, "boolean"}} {
		if t.Basics()&b.basic != 0 && (b.basic != model.Int || t.Basics()&model.Number == 0) {
			names = append(names, b.name)
		}
	}
	return strings.Join(names, "|")
}
