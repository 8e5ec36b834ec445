package release

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"
)

func TestCheck(t *testing.T) {
	tests := []struct {
		name, line, config string
		want               []string
	}{
		{name: "sound", line: "0.10", config: `
plugins: [{type: queue-scorer}]
schedulingProfiles: [{name: default, plugins: [{pluginRef: queue-scorer, weight: 1.5}]}]`},
		{name: "old name", line: "0.10", config: `plugins: [{type: kv-cache-scorer}]`,
			want: []string{"plugins[0].type: release line 0.10 has no plugin kv-cache-scorer; use kv-cache-utilization-scorer"}},
		{name: "unknown plugin", line: "0.10", config: `plugins: [{type: que-scorer}]`,
			want: []string{"plugins[0].type: release line 0.10 has no plugin que-scorer"}},
		{name: "moved parameter", line: "0.10", config: `plugins: [{type: prefix-cache-scorer, parameters: {hashBlockSize: 5}}]`,
			want: []string{"plugins[0].parameters.hashBlockSize: prefix-cache-scorer has no parameter hashBlockSize on release line 0.10; use blockSizeTokens of approx-prefix-cache-producer"}},
		{name: "ignored parameter", line: "0.4", config: `plugins: [{type: prefix-cache-scorer, parameters: {hashBlockSize: 5}}]`,
			want: []string{"warning: plugins[0].parameters.hashBlockSize: prefix-cache-scorer has no parameter hashBlockSize on release line 0.4; use blockSize, in characters, with autoTune: false; the EPP ignores it"}},
		{name: "deprecated", line: "0.10", config: `plugins: [{type: by-label}]`,
			want: []string{"warning: plugins[0].type: by-label is deprecated on release line 0.10; use label-selector-filter"}},
		{name: "fraction", line: "0.4", config: `
plugins: [{type: queue-scorer}]
schedulingProfiles: [{name: default, plugins: [{pluginRef: queue-scorer, weight: 1.5}]}]`,
			want: []string{"schedulingProfiles[0].plugins[0].weight: must be a whole number on release line 0.4 (got 1.5)"}},
		{name: "references", line: "0.10", config: `
plugins: [{type: queue-scorer, name: a}, {type: queue-scorer, name: a}, {type: no-hit-lru-scorer, parameters: {prefixMatchInfoProducerName: b}}]
dataLayer: {sources: [{pluginRef: c}]}
schedulingProfiles: [{name: default, plugins: [{pluginRef: queue-scorer}]}]`,
			want: []string{
				"plugins[1]: there is another plugin named a; give this one a name of its own",
				"plugins[2].parameters.prefixMatchInfoProducerName: no plugin named b is declared in plugins",
				"dataLayer.sources[0].pluginRef: no plugin named c is declared in plugins",
				"schedulingProfiles[0].plugins[0].pluginRef: no plugin named queue-scorer is declared in plugins",
			}},
		{name: "handlers", line: "0.10", config: `
plugins: [{type: disagg-profile-handler, parameters: {deciders: {prefill: x}}}, {type: single-profile-handler}]
schedulingProfiles: [{name: decode}]`,
			want: []string{
				"plugins[0]: disagg-profile-handler runs the profile prefill, which is not among the schedulingProfiles",
				"plugins[1]: single-profile-handler is a second profile handler beside disagg-profile-handler; keep one",
				"plugins[0].parameters.deciders.prefill: no plugin named x is declared in plugins",
			}},
		{name: "renamed profiles", line: "0.10", config: `
plugins: [{type: disagg-profile-handler, parameters: {profiles: {prefill: p}}}]
schedulingProfiles: [{name: decode}, {name: p}]`},
		{name: "two profiles and no handler", line: "0.4", config: `
plugins: [{type: queue-scorer}]
schedulingProfiles: [{name: a}, {name: b}]`,
			want: []string{"plugins: 2 profiles need a profile handler that chooses between them"}},
		{name: "identity", line: "0.10", config: `
apiVersion: config.x-k8s.io/v1alpha1
kind: Config
plugins: []
parsers: []
featureGates: [flowControl, dataLayer]`,
			want: []string{
				"apiVersion: must be llm-d.ai/v1alpha1 on release line 0.10, or be left out (got config.x-k8s.io/v1alpha1)",
				"kind: must be EndpointPickerConfig, or be left out (got Config)",
				"parsers: unknown field; release line 0.10 has featureGates, plugins, schedulingProfiles, dataLayer, flowControl, requestHandler, saturationDetector, parser",
				"featureGates[1]: release line 0.10 has no feature gate dataLayer; it has flowControl, haPopulateNonLeaderDatastore",
			}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			line, err := Load(tt.line)
			if err != nil {
				t.Fatal(err)
			}
			var config map[string]any
			if err := yaml.Unmarshal([]byte(tt.config), &config); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, texts(line.Check(config))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func texts(findings []Finding) []string {
	var out []string
	for _, f := range findings {
		text := f.Path + ": " + f.Message
		if f.Warning {
			text = "warning: " + text
		}
		out = append(out, text)
	}
	return out
}
