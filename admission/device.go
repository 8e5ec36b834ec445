package admission

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	resourcev1 "k8s.io/api/resource/v1"
)

// Selectors judges the expressions by which devices are chosen.
func Selectors(expressions []string) []Flaw {
	j := &judge{}
	j.atMost(nil, len(expressions), resourcev1.DeviceSelectorsMaxSize)
	for i, e := range expressions {
		j.cel((*field.Path)(nil).Index(i), e)
	}
	return j.flaws
}

// cel judges an expression over a device.
func (j *judge) cel(at *field.Path, expression string) {
	if n := len(expression); n > resourcev1.CELSelectorExpressionMaxLength {
		j.bad(at, "must have at most %d characters (has %d)", resourcev1.CELSelectorExpressionMaxLength, n)
		return
	}
	if expression == "" {
		j.missing(at)
	} else if flaw := celFlaw(expression); flaw != "" {
		j.bad(at, "%s (got %.100q)", flaw, expression)
	}
}
