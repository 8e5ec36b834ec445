package rules

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/inferstack/inferstack/schema"
	"github.com/inferstack/inferstack/schema/document"
)

// schedulerRules are those on the EPP, its configuration and the pool.
var schedulerRules = only(
	schedulerForms, presetFits, statefulReplicas, listedPlugins, wholeConfig, experimentalPlugins, latencyPredictorFits, kvEvents, redisForm,
	eppFlags, eppServing, eppPod, eppPatch, eppImage, eppNamespace, poolSelector, poolPorts, withoutPool, objectiveNames,
)

// TestSchedulerRules holds the exact words of each problem, and that what is meant to work
// is not refused.
func TestSchedulerRules(t *testing.T) {
	for _, tc := range []struct{ name, spec, want string }{
		{"shortest", ``, ""},
		{"two ways", `
scheduler: {preset: queue, scorers: [{type: queue-scorer}]}`, `
spec.scheduler.scorers: is not used beside a preset, which has scorers of its own; keep one of the two`},
		{"three ways", `
scheduler:
  preset: queue
  picker: {type: random-picker}
  config: {plugins: [{type: queue-scorer}]}`, `
spec.scheduler.picker: is not used beside a whole config; keep one of the two
spec.scheduler.preset: is not used beside a whole config; keep one of the two`},
		{"picker alone", `
scheduler: {picker: {type: random-picker}}`, `
spec.scheduler.picker: needs scorers; a preset has its own`},
		{"decider alone", `
scheduler: {disaggregation: {decider: always}}`, `
spec.scheduler.disaggregation: needs a prefill section`},
		{"threshold of nothing", `
prefill: {}
scheduler: {disaggregation: {nonCachedTokens: 0}}`, `
spec.scheduler.disaggregation.nonCachedTokens: must be at least 1 with decider prefix-based (got 0); to use prefill servers for every request, set decider: always`},
		{"predictions without servers", `
scheduler: {preset: predicted-latency}`, `spec.scheduler.preset: predicted-latency needs spec.scheduler.latencyPredictor, the servers that predict; write latencyPredictor: {}`},
		{"a scorer that nobody predicts for", `
scheduler: {scorers: [{type: latency-scorer}]}`, `warning spec.scheduler.scorers: latency-scorer needs predicted latencies, and nobody predicts them: the EPP routes as if it were not there; write latencyPredictor: {} into scheduler, or name servers of your own in its env PREDICTION_SERVER_URL`},
		{"a filter that estimates by throughput", `
scheduler: {filters: [{type: prefix-cache-affinity-filter, parameters: {peakPrefillThroughput: 15928}}], scorers: [{type: queue-scorer}]}`, ``},
		{"a filter whose producer is listed", `
scheduler: {config: {plugins: [{type: prefix-cache-affinity-filter, parameters: {ttftSource: latencyPredictor}}, {type: predicted-latency-producer}, {type: queue-scorer}], schedulingProfiles: [{name: default, plugins: [{pluginRef: prefix-cache-affinity-filter}, {pluginRef: queue-scorer}]}]}}`, `warning spec.scheduler.config: predicted-latency-producer needs predicted latencies, and nobody predicts them: the EPP routes as if it were not there; write latencyPredictor: {} into scheduler, or name servers of your own in its env PREDICTION_SERVER_URL`},
		{"predictors elsewhere", `
scheduler: {scorers: [{type: latency-scorer}], env: [{name: PREDICTION_SERVER_URL, value: "http://predictor:8001"}]}`, ``},
		{"servers that nobody asks", `
scheduler: {preset: queue, latencyPredictor: {}}`, `spec.scheduler.latencyPredictor: predicts latencies that no plugin of spec.scheduler.preset reads; leave it out, or use preset predicted-latency`},
		{"settings of the preset beside scorers", `
scheduler: {scorers: [{type: latency-scorer}], latencyPredictor: {streaming: true}}`, `info spec.scheduler.latencyPredictor.streaming: has no effect beside plugins of your own; it sets those of preset predicted-latency`},
		{"latencies of tokens that are not streamed", `
scheduler: {latencyPredictor: {slo: true, streaming: false}}`, `spec.scheduler.latencyPredictor.streaming: must not be false with slo: true: without streamed answers there is no time between tokens to hold`},
		{"latencies to hold with prefill servers", `
prefill: {}
scheduler: {latencyPredictor: {slo: true}}`, `spec.scheduler.preset: predicted-latency needs spec.scheduler.latencyPredictor.slo: false here, on release line 0.10`},
		{"predictions on an old line", `
release: "0.4"
scheduler: {latencyPredictor: {}}`, `spec.scheduler.latencyPredictor: needs a release line whose EPP asks for predictions, not 0.4; use release 0.10`},
		{"preset without prefill profile", `
prefill: {}
scheduler: {preset: queue}`, `
spec.scheduler.preset: queue has no profile for prefill servers; with a prefill section use pd-disaggregation or precise-prefix or predicted-latency, or list scorers`},
		{"preset without prefill section", `
scheduler: {preset: pd-disaggregation}`, `
spec.scheduler.preset: pd-disaggregation needs a prefill section`},
		{"preset in another form", `
release: "0.4"
prefill: {}
scheduler: {preset: precise-prefix}`, `
spec.scheduler.preset: precise-prefix needs spec.scheduler.disaggregation.decider: always here, on release line 0.4`},
		{"active-active with state", `
scheduler: {replicas: 2, highAvailability: active-active}`, `
spec.scheduler.highAvailability: active-active cannot be combined with approx-prefix-cache-producer, prefix-cache-scorer, of which each replica would know its own requests only; use leader-election`},
		{"active-active with scorers", `
scheduler: {replicas: 2, highAvailability: active-active, scorers: [{type: queue-scorer}, {type: active-request-scorer}]}`, `
spec.scheduler.highAvailability: active-active cannot be combined with active-request-scorer, of which each replica would know its own requests only; use leader-election`},
		{"active-active without state", `
scheduler: {replicas: 2, highAvailability: active-active, preset: precise-prefix}`, ""},
		{"old scorer name", `
scheduler: {scorers: [{type: kv-cache-scorer}]}`, `
spec.scheduler.scorers[0].type: release line 0.10 has no plugin kv-cache-scorer; use kv-cache-utilization-scorer`},
		{"misspelt scorer", `
scheduler: {scorers: [{type: queue-scorrer}]}`, `
spec.scheduler.scorers[0].type: release line 0.10 has no plugin queue-scorrer; did you mean queue-scorer?`},
		{"picker of the seeds", `
scheduler: {scorers: [{type: queue-scorer}], picker: {type: round-robin-picker}}`, `
spec.scheduler.picker.type: release line 0.10 has no plugin round-robin-picker; use random-picker`},
		{"unknown plugin of an image of one's own", `
scheduler: {image: example.com/epp:1, scorers: [{type: my-scorer}]}`, `
warning spec.scheduler.scorers[0].type: release line 0.10 has no plugin my-scorer`},
		{"filter among the scorers", `
scheduler: {scorers: [{type: decode-filter}]}`, `
spec.scheduler.scorers[0].type: decode-filter is a filter, not a scorer`},
		{"old parameter", `
scheduler: {scorers: [{type: prefix-cache-scorer, parameters: {hashBlockSize: 5}}]}`, `
spec.scheduler.scorers[0].parameters.hashBlockSize: prefix-cache-scorer has no parameter hashBlockSize on release line 0.10; use blockSizeTokens of approx-prefix-cache-producer`},
		{"misspelt parameter", `
scheduler: {scorers: [{type: load-aware-scorer, parameters: {treshold: 5}}]}`, `
spec.scheduler.scorers[0].parameters.treshold: load-aware-scorer has no parameter treshold; it has threshold; did you mean threshold?`},
		{"one scorer twice", `
scheduler: {scorers: [{type: queue-scorer}, {type: queue-scorer}, {type: queue-scorer, name: third}]}`, `
spec.scheduler.scorers[1]: there is another plugin named queue-scorer; give this one a name of its own`},
		{"fraction", `
release: "0.4"
scheduler: {scorers: [{type: queue-scorer, weight: 0.5}]}`, `
spec.scheduler.scorers[0].weight: must be a whole number (got 0.5)`},
		{"role filter with prefill", `
prefill: {}
scheduler: {filters: [{type: decode-filter}], scorers: [{type: queue-scorer}]}`, `
spec.scheduler.filters[0]: decode-filter is written into the profile of its role by the prefill section; leave it out`},
		{"precise scorer in a list", `
release: "0.4"
scheduler: {scorers: [{type: precise-prefix-cache-scorer}]}`, `
spec.scheduler.scorers[0]: precise-prefix-cache-scorer needs the servers' block size, hash seed and events; use preset: precise-prefix, or a whole config`},
		{"producer that is not there", `
scheduler: {scorers: [{type: prefix-cache-scorer, parameters: {prefixMatchInfoProducerName: precise-prefix-cache-producer}}]}`, `
spec.scheduler.scorers[0].parameters.prefixMatchInfoProducerName: no plugin named precise-prefix-cache-producer produces PrefixCacheMatchInfo, which prefix-cache-scorer reads; did you mean approx-prefix-cache-producer?`},
		{"experimental", `
scheduler: {scorers: [{type: session-affinity-scorer}]}`, `
info spec.scheduler: session-affinity-scorer is experimental on release line 0.10, so the EPP gets --allow-experimental-plugins`},
		{"whole config", `
scheduler:
  config:
    plugins: [{type: queue-scorer}, {type: single-profile-handler}, {type: disagg-profile-handler}]
    schedulingProfiles: [{name: default, plugins: [{pluginRef: quue-scorer}]}]`, `
spec.scheduler.config.plugins[2]: disagg-profile-handler is a second profile handler beside single-profile-handler; keep one
spec.scheduler.config.schedulingProfiles[0].plugins[0].pluginRef: no plugin named quue-scorer is declared in plugins; did you mean queue-scorer?`},
		{"whole config for one role", `
prefill: {}
scheduler: {config: {plugins: [{type: queue-scorer}], schedulingProfiles: [{name: default, plugins: [{pluginRef: queue-scorer}]}]}}`, `
spec.scheduler.config.plugins: has no profile handler for the prefill section, so that no request reaches its servers; add disagg-profile-handler with the profiles decode and prefill`},
		{"whole config for two roles", `
scheduler: {config: {plugins: [{type: disagg-profile-handler}], schedulingProfiles: [{name: decode}, {name: prefill}]}}`, `
warning spec.scheduler.config.plugins[0]: disagg-profile-handler asks for prefill servers, and the stack has no prefill section`},
		{"whole config for two roles that are elsewhere", `
server: {create: false}
pool: {selector: {app: a}}
scheduler: {config: {plugins: [{type: disagg-profile-handler}], schedulingProfiles: [{name: decode}, {name: prefill}]}}`, ``},
		{"whole config that disagrees", `
kvCache: {blockSize: 32}
scheduler: {config: {plugins: [{type: precise-prefix-cache-producer, parameters: {tokenProcessorConfig: {blockSizeTokens: 64, hashSeed: "7"}}}]}}`, `
spec.scheduler.config.plugins[0]: precise-prefix-cache-producer hears of no servers to dial; add the plugin endpoint-notification-source, and to dataLayer.sources one with precise-prefix-cache-producer as its extractor
spec.scheduler.config.plugins[0].parameters.tokenProcessorConfig.blockSizeTokens: must be 32, which the servers are told by spec.kvCache.blockSize (got 64)
spec.scheduler.config.plugins[0].parameters.tokenProcessorConfig.hashSeed: must be 42, which the servers are told by spec.kvCache.hashSeed (got 7)`},
		{"centralized and replicas", `
kvCache: {events: {mode: centralized}}
scheduler: {preset: precise-prefix, replicas: 2}`, `
spec.scheduler.replicas: must be 1 when KV-cache events are centralized, since a server sends its events to one replica (got 2); or set kvCache.events.mode: discovery`},
		{"discovery on the old line", `
release: "0.4"
kvCache: {events: {mode: discovery}}
scheduler: {preset: precise-prefix}`, `
spec.kvCache.events.mode: release line 0.4 knows centralized only (got discovery)`},
		{"discovery and simulator", `
server: {engine: simulator}
kvCache: {events: {mode: discovery}}
scheduler: {preset: precise-prefix}`, `
spec.kvCache.events.mode: the simulator knows centralized only (got discovery)
warning spec.scheduler.preset: the simulator of release line 0.10 publishes as kv@{ip}@{model} and the EPP looks for kv@{ip}:{port}@{model}: its events are not found, and only what the EPP itself routed counts for two seconds`},
		{"dummy tokenizer", `
release: "0.4"
server: {engine: simulator, simulator: {dummyTokenizer: true}}
scheduler: {preset: precise-prefix}`, `
spec.server.simulator.dummyTokenizer: must be false for precise prefix caching, which compares real tokens`},
		{"port of the events", `
kvCache: {events: {mode: centralized, centralPort: 9090}}
scheduler: {preset: precise-prefix}`, `
spec.kvCache.events.centralPort: 9090 is the port of the EPP's metrics`},
		{"replay on the old line", `
release: "0.4"
kvCache: {events: {replayPort: 5559}}
scheduler: {preset: precise-prefix}`, `
spec.kvCache.events.replayPort: is not supported on release line 0.4, whose EPP asks for no event again`},
		{"replay and centralized", `
kvCache: {events: {mode: centralized, replayPort: 5559}}
scheduler: {preset: precise-prefix}`, `
spec.kvCache.events.replayPort: needs spec.kvCache.events.mode: discovery, by which the EPP dials the servers (mode is centralized)`},
		{"replay that a configuration does not ask for", `
kvCache: {blockSize: 64, events: {replayPort: 5559}}
scheduler: {config: {dataLayer: {sources: [{pluginRef: endpoint-notification-source, extractors: [{pluginRef: precise-prefix-cache-producer}]}]}, plugins: [{type: endpoint-notification-source}, {type: precise-prefix-cache-producer, parameters: {tokenProcessorConfig: {blockSizeTokens: 64, hashSeed: "42"}}}]}}`, `
spec.scheduler.config.plugins[1].parameters.kvEventsConfig.podDiscoveryConfig.replaySocketPort: is required with spec.kvCache.events.replayPort: without it the EPP asks for no event again`},
		{"replay on another port than a configuration asks for", `
kvCache: {blockSize: 64, events: {replayPort: 5559}}
scheduler: {config: {dataLayer: {sources: [{pluginRef: endpoint-notification-source, extractors: [{pluginRef: precise-prefix-cache-producer}]}]}, plugins: [{type: endpoint-notification-source}, {type: precise-prefix-cache-producer, parameters: {tokenProcessorConfig: {blockSizeTokens: 64, hashSeed: "42"}, kvEventsConfig: {podDiscoveryConfig: {socketPort: 5556, replaySocketPort: 5560}}}}]}}`, `
spec.scheduler.config.plugins[1].parameters.kvEventsConfig.podDiscoveryConfig.replaySocketPort: must be 5559, on which the servers send events again by spec.kvCache.events.replayPort (got 5560)`},
		{"index without events", `
kvCache: {redis: {index: true}}`, `
spec.kvCache.redis.index: needs scheduler.preset: precise-prefix, which is what has a KV-block index`},
		{"index with password", `
kvCache: {redis: {index: true, passwordSecret: {name: redis}}}
scheduler: {preset: precise-prefix}`, `
spec.kvCache.redis.passwordSecret: cannot be combined with index: the EPP reads the address of its index from a ConfigMap, which is not a place for a password; guard that Redis by networkPolicy`},
		{"Redis elsewhere", `
kvCache: {redis: {address: "redis:6379", image: "redis:8"}}`, `
spec.kvCache.redis.image: is not used beside address, which names a Redis that exists`},
		{"tokenizer of the old line", `
release: "0.4"
scheduler: {preset: precise-prefix, tokenizer: {replicas: 2}}`, `
spec.scheduler.tokenizer: is not used on release line 0.4, whose EPP reads the model's tokenizer itself`},
		{"flags", `
scheduler:
  flags: {v: 4, pool-name: x, kv-cache-usage-percentage-metric: m, --x: 1, drain-timeout: 20s, config-text: t, A_b: 1}`, `
spec.scheduler.flags.A_b: is not the name of a flag: lower case letters, digits and single dashes
spec.scheduler.flags.config-text: cannot be combined with the generated --config-file; use scheduler.config
spec.scheduler.flags.kv-cache-usage-percentage-metric: is refused by the EPP of release line 0.10: it moved into the engineConfigs parameter of core-metrics-extractor
spec.scheduler.flags.pool-name: is set by pool.name
spec.scheduler.flags.v: is set by scheduler.verbosity
spec.scheduler.flags[--x]: must be written without the leading dashes`},
		{"metric flag of the old line", `
release: "0.4"
scheduler: {flags: {total-queued-requests-metric: m, kv-cache-usage-percentage-metric: m}}`, ""},
		{"certificate in clear", `
scheduler: {certSecret: tls, secureServing: false}`, `
spec.scheduler.certSecret: is not used with secureServing: false`},
		{"names in the pod", `
scheduler:
  podLabels: {app.kubernetes.io/component: x, team: a}
  volumes: [{name: config, emptyDir: {}}]
  containers: [{name: epp, image: i}]`, `
spec.scheduler.containers[0].name: "epp" is the name of another container of the EPP's pod
spec.scheduler.podLabels[app.kubernetes.io/component]: is set by the stack, and selectors rely on it
spec.scheduler.volumes[0].name: "config" is the name of another volume of the EPP's pod`},
		{"patch", `
scheduler: {podTemplatePatch: {spec: {containers: [{name: eppp, tty: true}]}}}`, `
spec.scheduler.podTemplatePatch: adds a container "eppp" without an image; did you mean "epp"?`},
		{"image of another line", `
scheduler: {image: mirror/llm-d-inference-scheduler:v0.4.0}`, `
warning spec.scheduler.image: llm-d-inference-scheduler is the EPP of release line 0.4, and flags and configuration are written for 0.10; set spec.release: "0.4"`},
		{"EPP elsewhere", `
gateway: {class: istio}
scheduler: {namespace: sched}`, `
spec.scheduler.namespace: must be the stack's, prod, where a gateway of class istio looks for the EPP (got "sched"); move the EPP, or use class envoy, or set gateway.extProc: envoyFilter`},
		{"EPP elsewhere behind a filter", `
gateway: {class: istio, extProc: envoyFilter}
scheduler: {namespace: sched}`, ""},
		{"selector of one role", `
prefill: {}
pool: {selector: {llm-d.ai/role: decode, app.kubernetes.io/component: decode, app.kubernetes.io/instance: other}}`, `
spec.pool.selector[app.kubernetes.io/component]: tells the roles' pods apart, which are in one pool; leave it out
spec.pool.selector[app.kubernetes.io/instance]: must be demo, by which the workloads select their pods (got "other")
spec.pool.selector[llm-d.ai/role]: would leave out servers: the EPP's filters tell roles apart, not the pool`},
		{"selector of everything", `
pool: {selector: {app.kubernetes.io/instance: demo}}`, `
spec.pool.selector: matches the EPP's own pods too; add a label that only the servers have, such as llm-d.ai/inference-serving: "true"`},
		{"servers made elsewhere", `
server: {create: false}`, `
spec.pool.selector: is required when server.create is false: it says which servers the EPP picks from`},
		{"other port", `
pool: {targetPorts: [8000, 8000, 8080]}`, `
spec.pool.targetPorts[1]: 8000 is listed twice`},
		{"port of nobody", `
pool: {targetPorts: [8080]}`, `
spec.pool.targetPorts[0]: the servers answer on 8000 (spec.server.port), not on 8080`},
		{"no pool", `
gateway: {class: istio}
pool: {create: false}
objectives: [{name: a}]`, `
spec.objectives: need the InferencePool: pool.create is false
spec.pool.create: must be true for gateway class istio, whose route names the InferencePool; only class envoy, or an EnvoyFilter, works without`},
		{"no pool behind the proxy", `
gateway: {class: envoy}
pool: {create: false}`, ""},
		{"objective twice", `
objectives: [{name: a}, {name: a}]`, `
spec.objectives[1].name: a is listed twice`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := judged(t, "{name: demo, namespace: prod}", "model: {name: m}"+tc.spec)
			if d := cmp.Diff(strings.TrimSpace(tc.want), got); d != "" {
				t.Error(d)
			}
		})
	}
}

// TestNamespaceNeeded holds what a stack without a namespace is told.
func TestNamespaceNeeded(t *testing.T) {
	for _, tc := range []struct{ name, spec, want string }{
		{"left out", ``, `info metadata.namespace: is not set: kustomize and kpt fill it in, but kubectl apply refuses the EPP's RoleBinding without`},
		{"metrics", `
scheduler: {metricsAuth: true}`, `metadata.namespace: is required because of scheduler.metricsAuth: a ClusterRoleBinding names the namespace of its ServiceAccount`},
		{"EPP elsewhere", `
scheduler: {namespace: sched}`, `metadata.namespace: is required because scheduler.namespace is set: the EPP must be told where the servers are`},
		{"no EPP", `
scheduler: {enabled: false}`, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if d := cmp.Diff(tc.want, judged(t, "{name: demo}", "model: {name: m}"+tc.spec)); d != "" {
				t.Error(d)
			}
		})
	}
}

// judged returns what the rules say of a stack, without positions, in their order.
func judged(t *testing.T, metadata, spec string) string {
	t.Helper()
	text := "apiVersion: inferstack.dev/v1alpha1\nkind: InferenceStack\nmetadata: " + metadata + "\nspec:\n  " +
		strings.ReplaceAll(spec, "\n", "\n  ") + "\n"
	docs, problems := document.Read("f", []byte(text))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	_, problems = parse(docs[0].Node, schema.Source{}, schedulerRules)
	var lines []string
	for _, p := range problems {
		prefix := ""
		if p.Severity != schema.Error {
			prefix = string(p.Severity) + " "
		}
		lines = append(lines, prefix+p.Path+": "+p.Message)
	}
	return strings.Join(lines, "\n")
}
