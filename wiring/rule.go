package wiring

import (
	"cmp"
	"fmt"
	"slices"
	"sync"
)

// A Rule is one thing that Check looks for.
type Rule struct {
	// ID is stable: people silence rules by it.
	ID string
	// Severity of its findings.
	Severity Severity
	// Doc says in a paragraph what goes wrong.
	Doc string

	// find looks at the whole graph.
	find func(g *G, r *report)
	// each looks at one thing of it after the other, where find is nil.
	each finder
}

func (rule *Rule) look(g *G, r *report) {
	if rule.find != nil {
		rule.find(g, r)
	} else {
		rule.each.find(g, r)
	}
}

// families are the rules by what they are about, in the order of the documentation.
var families = []struct {
	Title string
	Rules [][]Rule
}{
	{"Schemas", [][]Rule{schemaRules, admissionRules, kindRules}},
	{"References", [][]Rule{referenceRules, referenceKindRules}},
	{"Workloads", [][]Rule{workloadRules, variableRules, podRules, kubeletRules}},
	{"Services and ports", [][]Rule{serviceRules}},
	{"Gateways and routes", [][]Rule{routeRules, listenerRules, gatewayRules}},
	{"Istio", [][]Rule{istioRules}},
	{"EnvoyFilter and ext_proc", [][]Rule{envoyRules, patchRules, valueRules}},
	{"Standalone Envoy", [][]Rule{proxyRules}},
	{"Pools", [][]Rule{poolRules, watchRules}},
	{"Endpoint picker", [][]Rule{eppRules}},
	{"Endpoint picker's configuration", [][]Rule{configRules}},
	{"Endpoint picker's resources", [][]Rule{eppResourceRules}},
	{"Endpoint picker's rights", [][]Rule{rbacRules}},
	{"Prefill and decode", [][]Rule{disaggregationRules, transferRules, transferConfigRules, encodeRules, embeddingRules}},
	{"Model servers", [][]Rule{serverRules, flagRules, memoryRules, amountRules, serverTLSRules}},
	{"KV cache", [][]Rule{kvRules, tokenizerRules, predictorRules}},
	{"Scaling and monitoring", [][]Rule{operationRules, scalingRules, variantScalerRules}},
	{"Network policies", [][]Rule{networkRules}},
	{"Names and versions", [][]Rule{nameRules}},
	{"Very large sets", [][]Rule{limitRules}},
}

// Rules lists the rules of Check.
func Rules() []Rule { return slices.Clone(rules()) }

var rules = sync.OnceValue(func() []Rule {
	all := slices.Clone(ignoreRules)
	for _, f := range families {
		all = append(all, slices.Concat(f.Rules...)...)
	}
	return all
})

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
