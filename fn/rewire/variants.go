package rewire

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/internal/krm"
	"github.com/inferstack/inferstack/internal/pattern"
	"github.com/inferstack/inferstack/schema"
)

// ofVariant is a matcher of PromQL for the number that the workload variant autoscaler publishes
// for one autoscaler.
var ofVariant = pattern.Lazy(`\b(` + schema.WVAVariant + `|` + schema.WVANamespace + `)="([^"]*)"`)

// variants follows the name and namespace of an autoscaler into what it asks the workload variant
// autoscaler for: labels of an external metric, and a query.
func (r *rewirer) variants(item *krm.Object, n *yaml.Node) {
	switch n.Kind {
	case yaml.ScalarNode:
		if strings.Contains(n.Value, schema.WVAVariant+"=") {
			n.Value = ofVariant().ReplaceAllStringFunc(n.Value, func(matcher string) string {
				said := ofVariant().FindStringSubmatch(matcher)
				return said[1] + `="` + r.ofVariant(item, said[1], said[2]) + `"`
			})
		}
	case yaml.MappingNode:
		labels := krm.Field(n, schema.WVAVariant) != nil
		for name, value := range krm.Fields(n) {
			if labels && value.Kind == yaml.ScalarNode {
				value.Value = r.ofVariant(item, name, value.Value)
			}
			r.variants(item, value)
		}
	default:
		for _, value := range n.Content {
			r.variants(item, value)
		}
	}
}

func (r *rewirer) ofVariant(item *krm.Object, label, value string) string {
	switch label {
	case schema.WVANamespace:
		return r.movedNamespace(item, value)
	case schema.WVAVariant:
		for _, before := range previous(item) {
			if before.name == value {
				return item.Name()
			}
		}
	}
	return value
}
