package wiring

import (
	"cmp"
	"fmt"
	"slices"
)

// A Rule is one thing that Check looks for.
type Rule struct {
	// ID is stable: people silence rules by it.
	ID string
	// Severity of its findings.
	Severity Severity
	// Doc says in a paragraph what goes wrong.
	Doc string

	find func(g *G, r *report)
}

// families are the rules by what they are about, in the order of the documentation.
var families = []struct {
	Title string
	Rules []Rule
}{
	{"Schemas", slices.Concat(schemaRules, admissionRules, kindRules)},
	{"References", slices.Concat(referenceRules, referenceKindRules)},
	{"Workloads", slices.Concat(workloadRules, variableRules, podRules, kubeletRules)},
	{"Services and ports", serviceRules},
	{"Gateways and routes", slices.Concat(routeRules, listenerRules, gatewayRules)},
	{"Istio", istioRules},
	{"EnvoyFilter and ext_proc", slices.Concat(envoyRules, patchRules, valueRules)},
	{"Standalone Envoy", proxyRules},
	{"Pools", slices.Concat(poolRules, watchRules)},
	{"Endpoint picker", eppRules},
	{"Endpoint picker's configuration", configRules},
	{"Endpoint picker's resources", eppResourceRules},
	{"Endpoint picker's rights", rbacRules},
	{"Prefill and decode", slices.Concat(disaggregationRules, transferRules, transferConfigRules, encodeRules, embeddingRules)},
	{"Model servers", slices.Concat(serverRules, flagRules, memoryRules, amountRules, serverTLSRules)},
	{"KV cache", slices.Concat(kvRules, tokenizerRules, predictorRules)},
	{"Scaling and monitoring", slices.Concat(operationRules, scalingRules, variantScalerRules)},
	{"Network policies", networkRules},
	{"Names and versions", nameRules},
	{"Very large sets", limitRules},
}

// Rules lists the rules of Check.
func Rules() []Rule {
	rules := slices.Clone(ignoreRules)
	for _, f := range families {
		rules = append(rules, f.Rules...)
	}
	return rules
}

// A report collects what one rule finds.
type report struct {
	rule     *Rule
	findings []Finding
}

// a place is a field of an object.
type place struct {
	object *Object
	field  field
}

// in is a place in an object.
func (o *Object) in(path ...any) place { return place{o, o.at(path...)} }

// add reports what is wrong at a place. The remedy is added with remedy.
func (r *report) add(at place, to Ref, format string, args ...any) *reported {
	r.findings = append(r.findings, Finding{
		Severity: r.rule.Severity, Rule: r.rule.ID, Object: at.object.Ref, Other: to,
		Message: fmt.Sprintf(format, args...), File: at.object.File, Line: cmp.Or(at.field.line(), at.object.Line),
	})
	return (*reported)(&r.findings[len(r.findings)-1])
}

// reported is a finding that a rule may say more about.
type reported Finding

// warn makes a warning of what was found.
func (f *reported) warn() *reported {
	f.Severity = Warning
	return f
}

// fix says how to fix what was found.
func (f *reported) fix(format string, args ...any) { f.Remedy = fmt.Sprintf(format, args...) }
