package wiring

import "slices"

// engineLabels are the labels of a pod that name its engine, and engineTypes their values
// (llm-d-router v0.10 pkg/epp/framework/plugins/datalayer/extractor/metrics).
var (
	engineLabels = []string{"llm-d.ai/engine-type", "inference.networking.k8s.io/engine-type"}
	engineTypes  = map[string]string{"SGLang": "sglang", "TensorRT-LLM": "trtllm-serve"}
)

var engineLabelRule = Rule{
	ID: "engine-label", Severity: Warning,
	Doc: "A pool's server runs SGLang or TensorRT-LLM, and nothing tells the endpoint picker so: it looks for vLLM's metrics, finds none " +
		"and scores every server alike.",
	each: of[*epp]{allEPPs, func(g *G, r *report, e *epp) {
		pool := e.pool(g)
		if pool == nil || e.defaultEngine() {
			return
		}
		for _, p := range g.selected(pool, poolSelector(pool)) {
			c := p.server()
			if c == nil || engineTypes[c.engine()] == "" || p.namesEngine() {
				continue
			}
			r.add(p.place(p.template.at("metadata", "labels")), e.pods.Ref, "%s runs %s, and the pod has no label that says so", c.name, c.engine()).
				fix("label the pods %s: %s", engineLabels[0], engineTypes[c.engine()])
		}
	}},
}

// namesEngine reports whether a label of the pod says what serves.
func (p *Pods) namesEngine() bool {
	return slices.ContainsFunc(engineLabels, func(label string) bool { return p.labels[label] != "" })
}

// defaultEngine reports whether the configuration says which engine pods without a label run,
// or by which other label they say it.
func (e *epp) defaultEngine() bool {
	parameters := e.plugin("core-metrics-extractor").at("parameters")
	return parameters.at("defaultEngine").is() || parameters.at("engineLabelKey").is()
}
