package wiring

import (
	"slices"
	"strconv"
	"strings"

	"github.com/inferstack/inferstack/internal/pattern"
	"github.com/inferstack/inferstack/schema"
)

var variantScalerRules = []Rule{
	{
		ID: "variant-autoscaler-unmanaged", Severity: Error,
		Doc: "An HPA or ScaledObject follows the workload variant autoscaler (metric wva_desired_replicas), which does not know it: the annotations " +
			"llm-d.ai/managed: \"true\" or llm-d.ai/model-id are missing, llm-d.ai/variant-cost is no number from 0 on, and no VariantAutoscaling " +
			"of older versions stands beside it. The metric is never published, and nothing is scaled.",
		find: func(g *G, r *report) {
			for _, f := range g.followers() {
				if missing := f.unknownTo(); missing != "" && !g.counted(f) {
					r.add(f.o.in("metadata", "annotations"), Ref{}, "the workload variant autoscaler does not know it: %s", missing).fix("annotate it, or set autoscaling.wva of the stack")
				}
			}
		},
	},
	{
		ID: "variant-autoscaler-name", Severity: Error,
		Doc: "An HPA or ScaledObject reads the number of servers that the workload variant autoscaler publishes for another one: variant_name is " +
			"the name of the HPA or ScaledObject itself, and exported_namespace its namespace.",
		find: func(g *G, r *report) {
			for _, f := range g.followers() {
				if f.variant != "" && f.variant != f.o.Name && !g.counted(f) && !templated(f.variant) {
					r.add(place{f.o, f.at}, Ref{}, "reads the number of %s", f.variant).fix("set variant_name to %s", f.o.Name)
				}
				if f.namespace != "" && f.o.Namespace != "" && f.namespace != f.o.Namespace && !templated(f.namespace) {
					r.add(place{f.o, f.at}, Ref{}, "reads a number of namespace %s", f.namespace).fix("set exported_namespace to %s", f.o.Namespace)
				}
			}
		},
	},
	{
		ID: "variant-autoscaler-model", Severity: Error,
		Doc: "The annotation llm-d.ai/model-id is not the name by which the servers serve their model, and which their metrics have. The workload " +
			"variant autoscaler finds no metrics of the model, and leaves the number of servers as it is.",
		find: findForeignModels,
	},
	{
		ID: "variant-autoscaler-target", Severity: Error,
		Doc: "An HPA or ScaledObject compares the number of servers that the workload variant autoscaler publishes with a target of the type Value. " +
			"Kubernetes multiplies the result by the servers that there are, so that their number grows to its maximum.",
		find: func(g *G, r *report) {
			for _, f := range g.followers() {
				if f.target.text() == "Value" {
					r.add(place{f.o, f.target}, Ref{}, "a target of type Value is multiplied by the number of servers").fix("use AverageValue, of 1")
				}
			}
		},
	},
}

// A follower is an autoscaler that does what the workload variant autoscaler says.
type follower struct {
	o *Object
	// at is where it asks for the number, of that variant in that namespace.
	at                 field
	variant, namespace string
	// target is the type of what the number is compared with.
	target field
}

// inWVAQuery are the matchers of a query.
var inWVAQuery = pattern.Lazy(`\b(` + schema.WVAVariant + `|` + schema.WVANamespace + `)\s*=\s*"([^"]*)"`)

func (g *G) followers() []follower {
	var out []follower
	for _, o := range g.Kinds("HorizontalPodAutoscaler") {
		for _, m := range o.at("spec", "metrics").list() {
			if metric := m.at("external", "metric"); metric.at("name").text() == schema.WVAMetric {
				labels := metric.at("selector", "matchLabels")
				out = append(out, follower{o, metric, labels.at(schema.WVAVariant).text(), labels.at(schema.WVANamespace).text(), m.at("external", "target", "type")})
			}
		}
	}
	for _, o := range g.Kinds("ScaledObject") {
		for _, t := range o.at("spec", "triggers").list() {
			if query := t.at("metadata", "query"); strings.Contains(query.text(), schema.WVAMetric) {
				said := map[string]string{}
				for _, m := range inWVAQuery().FindAllStringSubmatch(query.text(), -1) {
					said[m[1]] = m[2]
				}
				out = append(out, follower{o, query, said[schema.WVAVariant], said[schema.WVANamespace], t.at("metricType")})
			}
		}
	}
	return out
}

// counted reports whether there is a VariantAutoscaling by which the autoscaler was told before it
// read annotations (llm-d-workload-variant-autoscaler up to v0.8).
func (g *G) counted(f follower) bool {
	return slices.ContainsFunc(g.Kinds("VariantAutoscaling"), func(o *Object) bool { return o.Name == f.variant && o.Namespace == f.o.Namespace })
}

// unknownTo says why the autoscaler passes the object over (llm-d-workload-variant-autoscaler v0.9.0
// internal/annotations, Parse).
func (f follower) unknownTo() string {
	notes := f.o.at("metadata", "annotations")
	cost := notes.at(schema.WVACost).text()
	n, err := strconv.ParseFloat(cost, 64)
	switch {
	case notes.at(schema.WVAManaged).text() != "true":
		return `it has no annotation ` + schema.WVAManaged + `: "true"`
	case notes.at(schema.WVAModel).text() == "":
		return "it has no annotation " + schema.WVAModel
	case cost != "" && (err != nil || n < 0) && !templated(cost):
		return "its annotation " + schema.WVACost + " is no number from 0 on"
	}
	return ""
}

func findForeignModels(g *G, r *report) {
	for _, e := range g.Edges {
		scaler, workload := g.Object(e.From), g.Object(e.To)
		if e.Type != "scales" || scaler == nil || workload == nil {
			continue
		}
		model := scaler.at("metadata", "annotations", schema.WVAModel)
		if model.text() == "" || templated(model.text()) {
			continue
		}
		for _, p := range g.podsOf[workload] {
			if served := p.model(); served != "" && served != model.text() && !templated(served) {
				r.add(place{scaler, model}, p.Ref, "is %s, and %s serves %s", model.text(), p.Ref, served).fix("set it to %s", served)
			}
		}
	}
}
