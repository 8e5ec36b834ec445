package helm

import (
	"maps"
	"slices"

	"github.com/inferstack/inferstack/convert/draft"
)

// routerEPP is what a router says of the EPP's pod beyond the older chart.
func (r *release) routerEPP(p *draft.Part, e *RouterEPP) {
	const from = "router.epp."
	if len(e.PodAnnotations) > 0 {
		p.Set(schedulerSection+".podAnnotations", e.PodAnnotations, from+"podAnnotations")
	}
	for _, field := range []string{"failureMode", "monitoring", "tracing", "latencyPredictor", "sidecar", "extraServicePorts", "endpointsServer"} {
		if p.Doc.At(from+field) != nil {
			p.On("", from+field).Fail("unknown field: the router charts have it elsewhere, if at all (%s)", routerPath("inferenceExtension."+field))
		}
	}
	r.eppPatch(p, e)
	if s := e.DeploymentStrategy; s != nil && s.Type != "Recreate" {
		p.Lost(from+"deploymentStrategy", "the strategy of the EPP's Deployment, which is Recreate; patch it where the stack is rendered, in a kustomization")
	}
	if n := e.GRPCHealthPort; n != nil && *n != 9003 {
		p.Lost(from+"grpcHealthPort", "the EPP's health port, which is 9003 in every stack; leave it out")
	}
	if e.Autoscaling["enabled"] == true {
		p.Lost(from+"autoscaling", "autoscaling of the EPP; write scheduler.replicas, and scheduler.highAvailability: active-active where the scorers allow it")
	}
}

// eppPatch patches the EPP's pod where scheduler has no field for it.
func (r *release) eppPatch(p *draft.Part, e *RouterEPP) {
	const from = "router.epp."
	spec := map[string]any{}
	if len(e.PodSecurityContext) > 0 {
		spec["securityContext"] = e.PodSecurityContext
		p.From(schedulerSection+".podTemplatePatch.spec.securityContext", from+"podSecurityContext")
	}
	if n := e.TerminationGracePeriodSeconds; n != nil {
		spec["terminationGracePeriodSeconds"] = *n
		p.From(schedulerSection+".podTemplatePatch.spec.terminationGracePeriodSeconds", from+"terminationGracePeriodSeconds")
	}
	if len(e.SecurityContext) > 0 {
		spec["containers"] = []any{map[string]any{"name": "epp", "securityContext": e.SecurityContext}}
		p.From(schedulerSection+".podTemplatePatch.spec.containers", from+"securityContext")
	}
	if len(spec) > 0 {
		p.Set(schedulerSection+".podTemplatePatch", map[string]any{"spec": spec}, "router.epp")
	}
}

// serverTypes are engines whose metrics the EPP knows by that name (llm-d-router
// pkg/epp/framework/plugins/datalayer, v0.10.0).
var serverTypes = []string{"vllm", "sglang", "trtllm-serve", "triton-tensorrt-llm", "triton"}

// chartConfig is the configuration that the charts write into their own file, where
// values make it another one than the stack's default; else nil.
func (r *release) chartConfig(p *draft.Part, ext *Extension) map[string]any {
	plugins := []any{plugin("queue-scorer"), plugin("kv-cache-utilization-scorer"), plugin("prefix-cache-scorer")}
	own := len(plugins)
	if m := r.metricsSource(ext); len(m) > 0 {
		if m["insecureSkipVerify"] == false {
			p.On(schedulerSection+".config", extensionSection+".metricsDataSource.insecureSkipVerify").Note("in effect; the charts write true whatever is said, since their template takes false for a value that is not there")
		}
		plugins = append(plugins, map[string]any{"type": "metrics-data-source", "parameters": m})
	}
	if t := r.pool.InferencePool.ModelServerType; t != "" && t != "vllm" && slices.Contains(serverTypes, t) {
		plugins = append(plugins, map[string]any{"type": "core-metrics-extractor", "parameters": map[string]any{"defaultEngine": t}})
	}
	var parsers []any
	for _, name := range r.parsers() {
		plugins, parsers = append(plugins, plugin(name)), append(parsers, map[string]any{"pluginRef": name})
	}
	if len(plugins) == own {
		return nil
	}
	config := map[string]any{"plugins": plugins, "schedulingProfiles": []any{map[string]any{
		"name": "default", "plugins": []any{weighted("queue-scorer", 2), weighted("kv-cache-utilization-scorer", 2), weighted("prefix-cache-scorer", 3)},
	}}}
	if len(parsers) > 0 {
		config["requestHandler"] = map[string]any{"parsers": parsers}
	}
	p.On(schedulerSection+".config", extensionSection+".pluginsConfigFile").Note("the chart's own configuration with what these values change in it")
	return config
}

// payloadAgnostic is the charts' payload-agnostic.yaml: routing by load and session,
// for requests that nothing parses.
func payloadAgnostic() map[string]any {
	const parser = "passthrough-parser"
	return map[string]any{
		"plugins":        []any{plugin(parser), plugin("active-request-scorer"), plugin("session-affinity-scorer")},
		"requestHandler": map[string]any{"parsers": []any{map[string]any{"pluginRef": parser}}},
		"schedulingProfiles": []any{map[string]any{
			"name": "default", "plugins": []any{weighted("active-request-scorer", 1), weighted("session-affinity-scorer", 1)},
		}},
	}
}

// metricsSource are the parameters of the EPP's scraping that are not its defaults.
func (r *release) metricsSource(ext *Extension) map[string]any {
	out := maps.Clone(ext.MetricsDataSource)
	for name, usual := range map[string]any{"scheme": "http", "path": "/metrics", "insecureSkipVerify": true} {
		if out[name] == usual || out[name] == "" {
			delete(out, name)
		}
	}
	return out
}

// parsers of requests; OpenAI's is there without being asked for.
func (r *release) parsers() []string {
	names := []string{r.pool.InferencePool.Parser}
	if r.router != nil {
		names = append(names, r.router.Router.EPP.Parser)
		names = append(names, r.router.Router.EPP.Parsers...)
	}
	names = slices.DeleteFunc(names, func(n string) bool { return n == "" })
	if r.pool.InferencePool.ModelServerType == "triton" && len(names) == 0 {
		return []string{"passthrough-parser"}
	}
	if slices.Equal(names, []string{"openai-parser"}) {
		return nil
	}
	return names
}

func plugin(typ string) map[string]any { return map[string]any{"type": typ} }

func weighted(ref string, weight int) map[string]any {
	return map[string]any{"pluginRef": ref, "weight": weight}
}
