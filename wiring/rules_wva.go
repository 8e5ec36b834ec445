package wiring

import (
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/inferstack/inferstack/internal/pattern"
	"github.com/inferstack/inferstack/schema"
)

var variantScalerRules = []Rule{
	{
		ID: "variant-autoscaler-unmanaged", Severity: Error,
		Doc: "An HPA or ScaledObject follows the workload variant autoscaler (metric wva_desired_replicas), which does not know it: the annotations " +
			"llm-d.ai/managed: \"true\" or llm-d.ai/model-id are missing, llm-d.ai/variant-cost is no number from 0 on, and no VariantAutoscaling " +
			"of older versions stands beside it. The metric is never published, and nothing is scaled.",
		each: of[follower]{(*G).followers, func(g *G, r *report, f follower) {
			if missing := f.unknownTo(); missing != "" && !g.counted(f) {
				r.add(f.o.in("metadata", "annotations"), Ref{}, "the workload variant autoscaler does not know it: %s", missing).fix("annotate it, or set autoscaling.wva of the stack")
			}
		}},
	},
	{
		ID: "variant-autoscaler-name", Severity: Error,
		Doc: "An HPA or ScaledObject reads the number of servers that the workload variant autoscaler publishes for another one: variant_name is " +
			"the name of the HPA or ScaledObject itself, and exported_namespace its namespace. Without variant_name the numbers of all are added up. The " +
			"label namespace is that of the autoscaler's own pod, which is a warning where it is asked for.",
		each: of[follower]{(*G).followers, func(g *G, r *report, f follower) {
			if f.variant != "" && f.variant != f.o.Name && !g.counted(f) && !templated(f.variant) {
				r.add(place{f.o, f.at}, Ref{}, "reads the number of %s", f.variant).fix("set variant_name to %s", f.o.Name)
			}
			if !f.selects {
				r.add(place{f.o, f.at}, Ref{}, "reads the numbers of all variants").fix("select %s: %s", schema.WVAVariant, f.o.Name)
			}
			if f.ownNamespace != "" && f.namespace == "" && !templated(f.ownNamespace) {
				r.add(place{f.o, f.at}, Ref{}, "namespace is the label of the workload variant autoscaler's own namespace").warn().
					fix("select %s: %s", schema.WVANamespace, f.o.Namespace)
			}
			if f.namespace != "" && f.o.Namespace != "" && f.namespace != f.o.Namespace && !templated(f.namespace) {
				r.add(place{f.o, f.at}, Ref{}, "reads a number of namespace %s", f.namespace).fix("set exported_namespace to %s", f.o.Namespace)
			}
		}},
	},
	{
		ID: "variant-autoscaler-model", Severity: Error,
		Doc: "The annotation llm-d.ai/model-id is not the name by which the servers serve their model, and which their metrics have. The workload " +
			"variant autoscaler finds no metrics of the model, and leaves the number of servers as it is.",
		find: findForeignModels,
	},
	{
		ID: "variant-autoscaler-metric", Severity: Error,
		Doc: "An HPA or ScaledObject follows a metric that is nearly wva_desired_replicas, or, with the annotation llm-d.ai/managed, another that ends in " +
			"desired_replicas, as older ones of the workload variant autoscaler do. Nothing publishes it, and nothing is scaled.",
		find: func(g *G, r *report) {
			g.eachSource("HorizontalPodAutoscaler", "metrics", func(o *Object, m field) { findMetric(r, o, m.at("external", "metric", "name")) })
			g.eachSource("ScaledObject", "triggers", func(o *Object, t field) { findMetric(r, o, t.at("metadata", "query")) })
		},
	},
	{
		ID: "variant-autoscaler-target", Severity: Error,
		Doc: "An HPA or ScaledObject compares the number of servers that the workload variant autoscaler publishes with a target of the type Value. " +
			"Kubernetes multiplies the result by the servers that there are, so that their number grows to its maximum. Or the target is not 1: " +
			"Kubernetes divides by it, and there are that many times fewer servers.",
		each: of[follower]{(*G).followers, func(g *G, r *report, f follower) {
			if f.target.text() == "Value" {
				r.add(place{f.o, f.target}, Ref{}, "a target of type Value is multiplied by the number of servers").fix("use AverageValue, of 1")
			} else if n, err := resource.ParseQuantity(f.divisor.text()); err == nil && n.Cmp(resource.MustParse("1")) != 0 {
				r.add(place{f.o, f.divisor}, Ref{}, "the number of servers is divided by %s", f.divisor.text()).fix("set it to 1")
			}
		}},
	},
}

// A follower is an autoscaler that does what the workload variant autoscaler says.
type follower struct {
	o *Object
	// at is where it asks for the number, of that variant in that namespace.
	at                 field
	variant, namespace string
	// ownNamespace is the one in which the autoscaler is said to be.
	ownNamespace string
	// selects says that it asks for some variants rather than for all.
	selects bool
	// target is the type of what the number is compared with, divisor what it is divided by.
	target, divisor field
}

// inWVAQuery are the matchers of a query.
var inWVAQuery = pattern.Lazy(`\b(` + schema.WVAVariant + `|` + schema.WVANamespace + `|namespace)\s*=\s*"([^"]*)"`)

func (g *G) followers() (out []follower) {
	g.eachSource("HorizontalPodAutoscaler", "metrics", func(o *Object, m field) {
		if m.at("external", "metric", "name").text() == schema.WVAMetric {
			out = append(out, byMetric(o, m.at("external")))
		}
	})
	g.eachSource("ScaledObject", "triggers", func(o *Object, t field) {
		if strings.Contains(t.at("metadata", "query").text(), schema.WVAMetric) {
			out = append(out, byQuery(o, t))
		}
	})
	return out
}

// eachSource visits what autoscalers of a kind scale by, which a field of their spec lists.
func (g *G) eachSource(kind, list string, visit func(o *Object, source field)) {
	for _, o := range g.Kinds(kind) {
		for _, source := range o.at("spec", list).list() {
			visit(o, source)
		}
	}
}

// byMetric is a follower by an external metric.
func byMetric(o *Object, external field) follower {
	metric, target := external.at("metric"), external.at("target")
	labels := metric.at("selector", "matchLabels")
	variant := labels.at(schema.WVAVariant)
	return follower{
		o: o, at: metric, variant: variant.text(), namespace: labels.at(schema.WVANamespace).text(), ownNamespace: labels.at("namespace").text(),
		selects: variant.is() || metric.at("selector", "matchExpressions").is(), target: target.at("type"), divisor: target.at("averageValue"),
	}
}

// byQuery is a follower by a query of a trigger.
func byQuery(o *Object, trigger field) follower {
	query := trigger.at("metadata", "query")
	said := map[string]string{}
	for _, m := range inWVAQuery().FindAllStringSubmatch(query.text(), -1) {
		said[m[1]] = m[2]
	}
	f := follower{
		o: o, at: query, variant: said[schema.WVAVariant], namespace: said[schema.WVANamespace], ownNamespace: said["namespace"],
		selects: strings.Contains(query.text(), schema.WVAVariant) || templated(query.text()), target: trigger.at("metricType"),
	}
	if !strings.ContainsAny(query.text(), "*/") { // not one that makes up for it
		f.divisor = trigger.at("metadata", "threshold")
	}
	return f
}

// metricName is the name of a metric in a query.
var metricName = pattern.Lazy(`[A-Za-z_:][A-Za-z0-9_:]*`)

func findMetric(r *report, o *Object, at field) {
	managed := o.at("metadata", "annotations", schema.WVAManaged).text() == "true"
	for _, name := range metricName().FindAllString(at.text(), -1) {
		near := Near(name, []string{schema.WVAMetric}) != "" || managed && strings.HasSuffix(name, "desired_replicas")
		if near && name != schema.WVAMetric {
			r.add(place{o, at}, Ref{}, "the workload variant autoscaler publishes no metric %s", name).fix("did you mean %s?", schema.WVAMetric)
			return
		}
	}
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
