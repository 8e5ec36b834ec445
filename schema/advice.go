package schema

import (
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
