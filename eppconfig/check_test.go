package eppconfig_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/inferstack/inferstack/eppconfig"
	"github.com/inferstack/inferstack/release"
)

func line(t *testing.T, name string) *release.Line {
	t.Helper()
	l, err := release.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// TestCheck shows what is said of each kind of mistake.
func TestCheck(t *testing.T) {
	yes, no := true, false
	for _, tt := range []struct {
		name, line, config string
		ctx                eppconfig.Context
		want               string
	}{
		{name: "sound", line: "0.10", config: `
plugins: [{type: queue-scorer}]
schedulingProfiles: [{name: default, plugins: [{pluginRef: queue-scorer, weight: 1.5}]}]`},
		{name: "flow control that is off", line: "0.10", config: `
plugins: [{type: queue-scorer}]
schedulingProfiles: [{name: default, plugins: [{pluginRef: queue-scorer}]}]
flowControl: {maxRequests: "64"}`, want: `
warning: flowControl: has no effect without the feature gate: requests are not queued; add featureGates: [flowControl]`},
		{name: "flow control that is on", line: "0.10", config: `
featureGates: [flowControl]
plugins: [{type: queue-scorer}]
schedulingProfiles: [{name: default, plugins: [{pluginRef: queue-scorer}]}]
flowControl: {maxRequests: "64"}`},
		{name: "the detector of flow control that is off", line: "0.10", config: `
plugins: [{type: queue-scorer}, {type: concurrency-detector}]
schedulingProfiles: [{name: default, plugins: [{pluginRef: queue-scorer}]}]
flowControl: {saturationDetector: {pluginRef: concurrency-detector}}`},
		{name: "old names", line: "0.10", config: `
plugins: [{type: kv-cache-scorer}, {type: active-request-filter}, {type: queue-scorrer}]`, want: `
plugins[0].type: release line 0.10 has no plugin kv-cache-scorer; use kv-cache-utilization-scorer
plugins[1].type: release line 0.10 has no plugin active-request-filter; use utilization-filter
plugins[2].type: release line 0.10 has no plugin queue-scorrer`},
		{name: "values", line: "0.10", config: `
plugins:
- {type: load-aware-scorer, parameters: {threshold: many}}
- {type: concurrency-detector, parameters: {maxConcurrency: -1}}
- {type: active-request-scorer, parameters: {maxBusyScore: 7}}
- {type: predicted-latency-producer, parameters: {contextTTL: 5m}}
- {type: utilization-detector, parameters: {metricsStalenessThreshold: 200, kvCacheUtilThreshold: 80}}`, want: `
plugins[0].parameters.threshold: must be a whole number, without quotes (got the text "many")
plugins[1].parameters.maxConcurrency: must be more than 0 requests (got -1)
warning: plugins[2].parameters.maxBusyScore: must be at least 0 and at most 1; the EPP takes 1 instead
plugins[3].parameters.contextTTL: must be a whole number of nanoseconds: this field takes no duration such as 5m (got the text "5m")
plugins[4].parameters.kvCacheUtilThreshold: must be more than 0 and at most 1 (got 80)
plugins[4].parameters.metricsStalenessThreshold: must be a duration with a unit, such as 500ms, 30s or 1h30m (got 200)`},
		{name: "moved, unknown and repeated", line: "0.10", config: `
dataLayer: {sorces: []}
plugins: [{type: prefix-cache-scorer, parameters: {hashBlockSize: 5}}, {type: queue-scorer, name: a}, {type: queue-scorer, name: a}]`, want: `
dataLayer.sorces: unknown field; there are crossReplicaSyncInterval, crossReplicaSyncerPluginRef, discovery, injectDefaults, sources
plugins[0].parameters.hashBlockSize: prefix-cache-scorer has no parameter hashBlockSize on release line 0.10; use blockSizeTokens of approx-prefix-cache-producer
plugins[2]: there is another plugin named a; give this one a name of its own`},
		{name: "an older line ignores unknown parameters", line: "0.4", config: `
plugins: [{type: prefix-cache-scorer, parameters: {hashBlockSize: 5}}]
schedulingProfiles: [{name: default, plugins: [{pluginRef: prefix-cache-scorer, weight: 1.5}]}]`, want: `
schedulingProfiles[0].plugins[0].weight: must be a whole number (got 1.5)
warning: plugins[0].parameters.hashBlockSize: prefix-cache-scorer has no parameter hashBlockSize on release line 0.4; use blockSize, in characters, with autoTune: false; the EPP ignores it`},
		{name: "references", line: "0.10", config: `
featureGates: [flowControl]
flowControl: {priorityBands: [{priority: 1, orderingPolicyRef: queue-scorer}, {priority: 1, fairnessPolicyRef: none}], saturationDetector: {pluginRef: queue-scorer}}
plugins: [{type: queue-scorer}, {type: max-score-picker}, {type: random-picker}]
schedulingProfiles: [{name: default, plugins: [{pluginRef: queue-scorer}, {pluginRef: max-score-picker}, {pluginRef: random-picker}]}]`, want: `
flowControl.priorityBands[1].priority: 1 is given twice, in flowControl.priorityBands[0] as well
schedulingProfiles[0].plugins[2]: random-picker is a second picker beside max-score-picker in profile default; keep one
flowControl.priorityBands[0].orderingPolicyRef: queue-scorer is a scorer, not an ordering policy such as fcfs-ordering-policy, edf-ordering-policy, slo-deadline-ordering-policy
flowControl.priorityBands[1].fairnessPolicyRef: no plugin named none is declared in plugins
flowControl.saturationDetector.pluginRef: queue-scorer is a scorer, not a saturation detector such as utilization-detector, concurrency-detector`},
		{name: "data that nobody produces", line: "0.10", config: `
plugins: [{type: token-load-scorer}, {type: prefix-cache-scorer, parameters: {prefixMatchInfoProducerName: ghost}}]`, want: `
plugins[0]: token-load-scorer reads UncachedRequestTokens, which no plugin produces; add inflight-load-producer to plugins
plugins[1].parameters.prefixMatchInfoProducerName: no plugin named ghost produces PrefixCacheMatchInfo, which prefix-cache-scorer reads`},
		{name: "a decider that never decides", line: "0.10", config: `
plugins: [{type: disagg-profile-handler, parameters: {deciders: {prefill: prefix-based-pd-decider}}}, {type: prefix-based-pd-decider}]
schedulingProfiles: [{name: prefill}, {name: decode}]`, want: `
warning: plugins[1]: prefix-based-pd-decider without nonCachedTokens never asks for prefill, so no request reaches the prefill servers; set it to the number of new tokens from which on it pays`},
		{name: "no decider", line: "0.10", config: `
plugins: [{type: disagg-profile-handler}]
schedulingProfiles: [{name: prefill}, {name: decode}]`, want: `
warning: plugins[0]: disagg-profile-handler has no decider for prefill, so no request reaches the prefill servers; set deciders.prefill`},
		{name: "no decider for encode servers", line: "0.10", ctx: eppconfig.Context{Prefill: &no, Encode: &yes}, config: `
plugins: [{type: disagg-profile-handler}]
schedulingProfiles: [{name: prefill}, {name: decode}, {name: encode}]`, want: `
warning: plugins[0]: disagg-profile-handler has no decider for encode, so no request reaches the encode servers; set deciders.encode`},
		{name: "a profile for encode that takes all servers", line: "0.10", ctx: eppconfig.Context{Encode: &yes}, config: `
plugins: [{type: always-disagg-multimodal-decider}, {type: disagg-profile-handler, parameters: {deciders: {encode: always-disagg-multimodal-decider}}}]
schedulingProfiles: [{name: decode}, {name: encode}]`, want: `
warning: plugins[1]: the profile encode picks any server for encode, since it has no filter; add encode-filter`},
		{name: "a profile for encode that takes decode servers", line: "0.10", ctx: eppconfig.Context{Encode: &yes}, config: `
plugins: [{type: always-disagg-multimodal-decider}, {type: decode-filter}, {type: disagg-profile-handler, parameters: {deciders: {encode: always-disagg-multimodal-decider}}}]
schedulingProfiles: [{name: decode}, {name: encode, plugins: [{pluginRef: decode-filter}]}]`, want: `
warning: schedulingProfiles[1].plugins[0]: decode-filter keeps decode servers, and encode is the profile for encode; use encode-filter`},
		{name: "a profile for encode with its filter, by label or name", line: "0.10", ctx: eppconfig.Context{Encode: &yes}, config: `
plugins: [{type: always-disagg-multimodal-decider}, {type: label-selector-filter, name: by-label, parameters: {matchLabels: {llm-d.ai/role: encode}}}, {type: disagg-profile-handler, parameters: {deciders: {encode: always-disagg-multimodal-decider}}}]
schedulingProfiles: [{name: decode}, {name: encode, plugins: [{pluginRef: by-label}]}]`, want: ``},
		{name: "a handler that knows no encode servers", line: "0.10", ctx: eppconfig.Context{Encode: &yes}, config: `
plugins: [{type: prefix-based-pd-decider, parameters: {nonCachedTokens: 16}}, {type: pd-profile-handler}]
schedulingProfiles: [{name: prefill}, {name: decode}]`, want: `
warning: plugins[1].type: pd-profile-handler is deprecated on release line 0.10, whose removal was announced for 0.9; use disagg-profile-handler
warning: plugins[1]: pd-profile-handler has no profile for encode, so no request reaches the encode servers; use disagg-profile-handler`},
		{name: "a decider for encode and no profile", line: "0.10", config: `
plugins: [{type: always-disagg-multimodal-decider}, {type: disagg-profile-handler, parameters: {profiles: {encode: e}, deciders: {encode: always-disagg-multimodal-decider}}}]
schedulingProfiles: [{name: decode}]`, want: `
plugins[1].parameters.profiles.encode: disagg-profile-handler runs the profile e, which is not among the schedulingProfiles`},
		{name: "no decider and no prefill servers", line: "0.10", ctx: eppconfig.Context{Prefill: &no}, config: `
plugins: [{type: disagg-profile-handler}]
schedulingProfiles: [{name: prefill}, {name: decode}]`},
		{name: "a filter that leaves nobody", line: "0.10", ctx: eppconfig.Context{Prefill: &no, Encode: &yes, Whole: true}, config: `
plugins: [{type: prefill-filter}]
schedulingProfiles: [{name: default, plugins: [{pluginRef: prefill-filter}]}]`, want: `
schedulingProfiles[0].plugins[0]: prefill-filter leaves no server, since there are no prefill servers: every request fails`},
		{name: "nothing done", line: "0.10", config: `
plugins: [{type: queue-scorer}, {type: load-aware-scorer}, {type: openai-parser}]
schedulingProfiles: [{name: default, plugins: [{pluginRef: queue-scorer, weight: 0}, {pluginRef: openai-parser}]}]`, want: `
warning: schedulingProfiles[0].plugins[0].weight: queue-scorer does nothing with a weight of 0
warning: schedulingProfiles[0].plugins[1].pluginRef: openai-parser is a parser and does nothing in a profile
warning: plugins[1]: load-aware-scorer is used by no profile`},
		{name: "a producer that is made for another one brings a source", line: "0.10", config: `
dataLayer: {injectDefaults: false}
plugins: [{type: slo-headroom-tier-filter}]`},
		{name: "no source", line: "0.10", config: `
dataLayer: {injectDefaults: false}
plugins: [{type: lora-affinity-scorer}]`, want: `
dataLayer.injectDefaults: is false and there are no sources; the EPP needs one`},
		{name: "a plugin of one's own may serve anything", line: "0.10", config: `
plugins: [{type: our-handler}, {type: load-aware-scorer}]
schedulingProfiles: [{name: a}, {name: b}]`, want: `
plugins[0].type: release line 0.10 has no plugin our-handler`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := line(t, tt.line)
			var config map[string]any
			if err := yaml.Unmarshal([]byte(tt.config), &config); err != nil {
				t.Fatal(err)
			}
			ctx := eppconfig.ForLine(l)
			ctx.Prefill, ctx.Encode, ctx.Whole = tt.ctx.Prefill, tt.ctx.Encode, tt.ctx.Whole
			got := strings.Join(texts(eppconfig.Check(l.EPP.Speaks(), config, ctx)), "\n")
			if diff := cmp.Diff(strings.TrimSpace(tt.want), got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestText tells where a text cannot be read.
func TestText(t *testing.T) {
	l := line(t, "0.10")
	for _, tt := range []struct {
		name, text string
		line       int
		path       string
	}{
		{"a tab", "plugins:\n\t- type: queue-scorer\n", 2, ""},
		{"flow style without quotes", "{kind: EndpointPickerConfig}", 1, ""},
		{"a list", "[]", 1, ""},
		{"a key twice", "plugins:\n- type: queue-scorer\n  type: queue-scorer\n", 3, "plugins[0].type"},
		{"a key of a merge", "a: &a {type: x}\nplugins:\n- <<: *a\n  type: y\n", 4, "plugins[0].type"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			findings := eppconfig.CheckText(l.EPP.Speaks(), tt.text, eppconfig.ForLine(l))
			if len(findings) == 0 || findings[0].Warning || findings[0].Line != tt.line || findings[0].Path() != tt.path {
				t.Errorf("%+v", findings)
			}
		})
	}
	for _, text := range []string{"", "# nothing\n", "{}", "plugins: []\n---\n\tbroken"} {
		if findings := eppconfig.CheckText(l.EPP.Speaks(), text, eppconfig.ForLine(l)); len(findings) > 0 {
			t.Errorf("%q: %v", text, texts(findings))
		}
	}
}
