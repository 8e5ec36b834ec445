package epp

import (
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// inferenceExtension are the plugins that the Inference Extension's v1.5.0 registers (cmd/epp/runner/runner.go). All
// others of the 0.10 line exist only in llm-d-router, which no Go module carries.
var inferenceExtension = strings.Fields(`
	approx-prefix-cache-producer concurrency-detector core-metrics-extractor edf-ordering-policy
	endpoint-notification-source fcfs-ordering-policy global-strict-fairness-policy inflight-load-producer
	kv-cache-utilization-scorer latency-scorer latency-slo-admitter lora-affinity-scorer max-score-picker
	metrics-data-source openai-parser passthrough-parser predicted-latency-producer prefix-cache-affinity-filter
	prefix-cache-scorer queue-scorer random-picker request-attribute-reporter round-robin-fairness-policy
	running-requests-size-scorer single-profile-handler slo-deadline-ordering-policy slo-headroom-tier-filter
	static-usage-limit-policy token-load-scorer utilization-detector vllmgrpc-parser weighted-random-picker`)

// unproven says why no program here can run the scenario, or nothing.
func (s *Scenario) unproven(t testing.TB) string {
	t.Helper()
	if missing := s.RouterOnly(t); len(missing) > 0 {
		return "only in llm-d-router v0.10: " + strings.Join(missing, " ")
	}
	for _, config := range s.Files {
		if component, err := s.Component(); err == nil && component == "epp-llmd-0.4" && strings.Contains(config, "type: precise-prefix-cache-scorer") {
			// Its flags and parameters are read; it then starts a Python interpreter that needs vLLM's packages.
			return "the precise prefix scorer of v0.4.0 runs vLLM's Python code"
		}
	}
	return ""
}

// RouterOnly returns the plugins of the scenario's configuration that no program here can load.
func (s *Scenario) RouterOnly(t testing.TB) []string {
	t.Helper()
	component, err := s.Component()
	if err != nil {
		t.Fatal(err)
	}
	if component != "epp-gie-1.5" {
		return nil
	}
	known := map[string]bool{}
	for _, plugin := range inferenceExtension {
		known[plugin] = true
	}
	var missing []string
	for path, content := range s.Files {
		var config struct {
			Kind    string                  `json:"kind"`
			Plugins []struct{ Type string } `json:"plugins"`
		}
		if err := yaml.Unmarshal([]byte(content), &config); err != nil || config.Kind != "EndpointPickerConfig" {
			t.Fatalf("%s is not an EndpointPickerConfig (%v)", path, err)
		}
		for _, plugin := range config.Plugins {
			if !known[plugin.Type] {
				missing = append(missing, plugin.Type)
			}
		}
	}
	return missing
}
