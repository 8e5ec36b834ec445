package helm

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/inferstack/inferstack/convert/draft"
	catalogue "github.com/inferstack/inferstack/release"
)

// engineMetrics are the flags by which the older charts name an engine's metrics to the EPP
// (gateway-api-inference-extension config/charts/epplib/templates/_deployment.yaml, v1.5.0). An
// EPP that refuses them has these metrics in its core-metrics-extractor.
var engineMetrics = map[string]map[string]string{
	"sglang": {
		"total-queued-requests-metric": "sglang:num_queue_reqs", "total-running-requests-metric": "sglang:num_running_reqs",
		"kv-cache-usage-percentage-metric": "sglang:token_usage", "cache-info-metric": "sglang:cache_config_info",
	},
	"triton-tensorrt-llm": {
		"total-queued-requests-metric":     "nv_trt_llm_request_metrics{request_type=waiting}",
		"total-running-requests-metric":    "nv_trt_llm_request_metrics{request_type=scheduled}",
		"kv-cache-usage-percentage-metric": "nv_trt_llm_kv_cache_block_metrics{kv_cache_block_type=fraction}",
	},
	"trtllm-serve": {
		"total-queued-requests-metric": "trtllm_num_requests_waiting", "total-running-requests-metric": "trtllm_num_requests_running",
		"kv-cache-usage-percentage-metric": "trtllm_kv_cache_utilization", "cache-info-metric": "trtllm_cache_config_info",
	},
}

// measured takes the flags that name the metrics of another engine than vLLM for that
// engine, where the EPP of the stack's release line refuses them, and returns the others.
func (r *release) measured(p *draft.Part, flags []corev1.EnvVar) []corev1.EnvVar {
	line, err := catalogue.Load(draft.Unless(p.Text("spec.release"), catalogue.Default))
	if err != nil {
		return flags
	}
	var names []string
	for _, f := range flags {
		if _, refused := line.EPP.RefusedFlags[f.Name]; refused && strings.HasSuffix(f.Name, "-metric") {
			names = append(names, f.Name)
		}
	}
	engine := engineOf(flags, names)
	if engine == "" {
		return flags
	}
	pool := &r.pool.InferencePool
	pool.ModelServerType = draft.Unless(pool.ModelServerType, engine)
	p.On(schedulerSection, extensionSection+".flags").Dropped().Note("%s: left out, since the EPP of release line %s knows the metrics of %s", strings.Join(names, ", "), line.Name, engine)
	return slices.DeleteFunc(slices.Clone(flags), func(f corev1.EnvVar) bool { return slices.Contains(names, f.Name) })
}

// engineOf is the engine whose metrics the flags name; an empty one turns a metric off that
// the engine does not have.
func engineOf(flags []corev1.EnvVar, names []string) string {
	for _, engine := range serverTypes {
		metrics, named := engineMetrics[engine], 0
		ok := metrics != nil && !slices.ContainsFunc(flags, func(f corev1.EnvVar) bool {
			value := strings.Trim(f.Value, `"`)
			if !slices.Contains(names, f.Name) || value == "" {
				return false
			}
			named++
			return value != metrics[f.Name]
		})
		if ok && named > 0 {
			return engine
		}
	}
	return ""
}

// engine is that of the servers, where the chart tells the EPP by flags.
func (r *release) engine() string {
	t := r.pool.InferencePool.ModelServerType
	if r.router != nil || engineMetrics[t] == nil {
		return ""
	}
	return t
}

// engine has the EPP read the metrics of another engine than vLLM: a configuration of the
// user's own does not name it, since the chart did so by flags.
func (c *configuration) engine(name string) {
	const extractor = "core-metrics-extractor"
	if name == "" || c.declares(extractor) || !c.has(extractor) {
		return
	}
	plugins, _ := c.config["plugins"].([]any)
	c.config["plugins"] = append(slices.Clone(plugins), map[string]any{"type": extractor, "parameters": map[string]any{"defaultEngine": name}})
	c.say("%s is added: the chart told the EPP by flags that the servers are of type %s", extractor, name)
}

// tokens are the block size and the seed by which the EPP finds the servers' blocks, which the
// servers are told too, and the port for their events.
func (r *release) tokens(p *draft.Part, from string, config map[string]any) {
	line, err := catalogue.Load(draft.Unless(p.Text("spec.release"), catalogue.Default))
	list, _ := config["plugins"].([]any)
	for i, e := range list {
		m, _ := e.(map[string]any)
		typ, _ := m["type"].(string)
		if err != nil || line.EPP.Plugin(typ) == nil || !line.EPP.Plugin(typ).FollowsEvents {
			continue
		}
		parameters, _ := m["parameters"].(map[string]any)
		indexer, _ := parameters["indexerConfig"].(map[string]any)
		events, _ := parameters["kvEventsConfig"].(map[string]any)
		eventsAt := below(from, fmt.Sprintf("plugins[%d].parameters.kvEventsConfig", i))
		r.dialled(p, eventsAt, events)
		if mode := "spec.kvCache.events.mode"; !p.Has(mode) && line.EPP.KVEvents.Modes[0] == "centralized" {
			p.Set(mode, "centralized", from)
		}
		replayed(p, eventsAt, events)
		for at, v := range map[string]any{"": parameters["tokenProcessorConfig"], ".indexerConfig": indexer["tokenProcessorConfig"]} {
			at = below(from, fmt.Sprintf("plugins[%d].parameters%s.tokenProcessorConfig", i, at))
			processor, _ := v.(map[string]any)
			for field, to := range map[string]string{"blockSize": "blockSize", "blockSizeTokens": "blockSize", "hashSeed": "hashSeed"} {
				if value := processor[field]; value != nil && value != "" && !p.Has("spec.kvCache."+to) {
					p.Set("spec.kvCache."+to, value, at+"."+field)
				}
			}
		}
	}
}
