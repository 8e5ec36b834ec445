package main

import (
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/inferstack/inferstack/internal/sorted"
	"github.com/inferstack/inferstack/kubeschema"
)

// limitsOf are the limits of a schema, nil where neither it nor what is in it has any. Defaults are
// kept where something around them is asked.
func limitsOf(p *apiextensionsv1.JSONSchemaProps, asked bool) *kubeschema.Limits {
	l := &kubeschema.Limits{Pattern: p.Pattern, MinProperties: p.MinProperties, MaxProperties: p.MaxProperties}
	if p.XListType != nil {
		l.Set, l.Keys = *p.XListType == "set", p.XListMapKeys
	}
	for _, rule := range p.XValidations {
		if !strings.Contains(rule.Rule, "oldSelf") { // which is of updates
			l.Rules = append(l.Rules, kubeschema.Rule{Rule: rule.Rule, Message: rule.Message})
		}
	}
	asked = asked || len(l.Rules)+len(l.Keys) > 0
	if p.Default != nil && asked {
		l.Default = string(p.Default.Raw)
	}
	fields := map[string]*kubeschema.Limits{}
	for name, field := range p.Properties {
		if inner := limitsOf(&field, asked); inner != nil {
			fields[name] = inner
		}
	}
	if len(fields) > 0 {
		l.Properties = sorted.Of(fields)
	}
	if p.Items != nil && p.Items.Schema != nil {
		l.Items = limitsOf(p.Items.Schema, asked)
	}
	if p.AdditionalProperties != nil && p.AdditionalProperties.Schema != nil {
		l.Values = limitsOf(p.AdditionalProperties.Schema, asked)
	}
	if l.Empty() {
		return nil
	}
	return l
}
