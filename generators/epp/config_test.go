package epp

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/inferstack/inferstack/eppconfig"
	"github.com/inferstack/inferstack/generators/internal/stacktest"
	"github.com/inferstack/inferstack/generators/kvevents"
	"github.com/inferstack/inferstack/generators/render"
)

func TestEPPConfig(t *testing.T) {
	for _, tc := range []struct{ name, spec, want string }{
		{"the seeds' simulator profile", `
release: "0.4"
model: {name: m}
scheduler: {preset: simulator}`, `
apiVersion: inference.networking.x-k8s.io/v1alpha1
kind: EndpointPickerConfig
plugins:
- type: prefix-cache-scorer
  parameters:
    autoTune: false
    blockSize: 5
    lruCapacityPerServer: 31250
    maxPrefixBlocksToMatch: 256
- type: decode-filter
- type: max-score-picker
- type: load-aware-scorer
- type: kv-cache-utilization-scorer
- type: single-profile-handler
schedulingProfiles:
- name: default
  plugins:
  - pluginRef: decode-filter
  - pluginRef: max-score-picker
  - pluginRef: load-aware-scorer
    weight: 1
  - pluginRef: prefix-cache-scorer
    weight: 2
  - pluginRef: kv-cache-utilization-scorer
    weight: 1`},
		{"a threshold in tokens is one in characters on line 0.4", `
release: "0.4"
model: {name: m}
prefill: {}
kvCache: {blockSize: 32}
scheduler: {scorers: [{type: queue-scorer}], disaggregation: {nonCachedTokens: 100}}`, `
apiVersion: inference.networking.x-k8s.io/v1alpha1
kind: EndpointPickerConfig
plugins:
- type: prefill-header-handler
- type: prefill-filter
- type: decode-filter
- type: queue-scorer
- type: max-score-picker
- type: pd-profile-handler
  parameters:
    hashBlockSize: 128
    threshold: 400
schedulingProfiles:
- name: prefill
  plugins:
  - pluginRef: prefill-filter
  - pluginRef: queue-scorer
    weight: 1
  - pluginRef: max-score-picker
- name: decode
  plugins:
  - pluginRef: decode-filter
  - pluginRef: queue-scorer
    weight: 1
  - pluginRef: max-score-picker`},
		{"listed plugins", `
model: {name: m}
kvCache: {lruCapacityPerServer: 100}
scheduler:
  scorers:
  - {type: prefix-cache-scorer, weight: 2.5}
  - {type: queue-scorer, name: "on", weight: 1}
  filters: []
  picker: {type: weighted-random-picker, parameters: {maxNumOfEndpoints: 2}}`, `
apiVersion: llm-d.ai/v1alpha1
kind: EndpointPickerConfig
plugins:
- type: approx-prefix-cache-producer
  parameters:
    lruCapacityPerServer: 100
    maxPrefixTokensToMatch: 131072
- type: prefix-cache-scorer
- type: queue-scorer
  name: "on"
- type: weighted-random-picker
  parameters:
    maxNumOfEndpoints: 2
- type: single-profile-handler
schedulingProfiles:
- name: default
  plugins:
  - pluginRef: prefix-cache-scorer
    weight: 2.5
  - pluginRef: "on"
    weight: 1
  - pluginRef: weighted-random-picker`},
		{"whole", `
model: {name: m}
scheduler:
  config:
    schedulingProfiles: [{plugins: [{weight: 1, pluginRef: q}], name: default}]
    plugins: [{name: q, type: queue-scorer}]`, `
apiVersion: llm-d.ai/v1alpha1
kind: EndpointPickerConfig
plugins:
- type: queue-scorer
  name: q
schedulingProfiles:
- name: default
  plugins:
  - pluginRef: q
    weight: 1`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if d := cmp.Diff(strings.TrimSpace(tc.want)+"\n", configText(stacktest.Parse(t, tc.spec))); d != "" {
				t.Error(d)
			}
		})
	}
}

// TestBothSidesAgree holds that EPP and servers are told the same block size, seed and
// way of the events.
func TestBothSidesAgree(t *testing.T) {
	for _, tc := range []struct {
		name, spec string
		config     []string // parts of the EPP's configuration
		endpoint   string
		topic      string
		central    bool
	}{
		{"discovery", `
model: {name: org/m, servedNames: [short]}
scheduler: {preset: precise-prefix}
kvCache: {blockSize: 32, hashSeed: "7", events: {port: 5600, replayPort: 5601}}`,
			[]string{"blockSizeTokens: 32", `hashSeed: "7"`, " socketPort: 5600", "replaySocketPort: 5601", "endpoint-notification-source"},
			"tcp://*:5600", "kv@$(POD_IP):8000@short", false},
		{"centralized", `
model: {name: org/m}
scheduler: {preset: precise-prefix}
kvCache: {events: {mode: centralized, centralPort: 5600}}`,
			[]string{"blockSizeTokens: 64", `hashSeed: "42"`, "zmqEndpoint: tcp://0.0.0.0:5600", "discoverPods: false"},
			"tcp://demo-epp.llm.svc.cluster.local:5600", "kv@$(POD_IP):8000@org/m", true},
		{"line 0.4", `
release: "0.4"
model: {name: org/m}
scheduler: {preset: precise-prefix}`,
			[]string{"blockSize: 64", `hashSeed: "42"`, "zmqEndpoint: tcp://0.0.0.0:5557", "tokenizersCacheDir: /cache/tokenizers"},
			"tcp://demo-epp.llm.svc.cluster.local:5557", "kv@$(POD_IP)@org/m", true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := stacktest.Parse(t, tc.spec)
			text := configText(s)
			for _, part := range tc.config {
				if !strings.Contains(text, part) {
					t.Errorf("%s is not in\n%s", part, text)
				}
			}
			if kvevents.Endpoint(s) != tc.endpoint || kvevents.Topic(s) != tc.topic {
				t.Error(kvevents.Endpoint(s), kvevents.Topic(s))
			}
			ports := service(s).Spec.Ports
			if central := ports[len(ports)-1].Name == kvevents.PortName; central != tc.central {
				t.Errorf("central port: %v", central)
			}
			if rendered := len(render.Objects(s)) > 0; rendered != (s.Line.EPP.Tokenizer == "render") {
				t.Errorf("render service: %v", rendered)
			}
		})
	}
}

// TestPresetsPassTheCheck runs every preset that the schema lets through by the release
// line's own check, as the EPP gets it.
func TestPresetsPassTheCheck(t *testing.T) {
	for _, line := range []string{"0.4", "0.10"} {
		for _, preset := range []string{"default", "load-aware", "queue", "prefix-aware", "precise-prefix", "random", "simulator", "pd-disaggregation"} {
			spec := "release: \"" + line + "\"\nmodel: {name: m}\nscheduler: {preset: " + preset + "}"
			if preset == "pd-disaggregation" {
				spec += "\nprefill: {}"
			}
			s := stacktest.Parse(t, spec)
			var config map[string]any
			if err := yaml.UnmarshalStrict([]byte(configText(s)), &config); err != nil {
				t.Fatal(err)
			}
			for _, f := range eppconfig.Check(s.Line.EPP.Speaks(), config, eppconfig.ForLine(s.Line)) {
				t.Errorf("%s %s: %s: %s", line, preset, f.Path(), f.Message)
			}
		}
	}
}
