package fn

import (
	"strings"
	"testing"
)

// TestConvertChecksWiring has values that make a stack of which the wiring is wrong: convert
// says so where the values have the reason.
func TestConvertChecksWiring(t *testing.T) {
	const values = `modelArtifacts: {name: org/model, uri: "hf://org/model"}
decode:
  containers:
  - name: vllm
    image: mine/vllm:1
    modelCommand: vllmServe
    livenessProbe: {httpGet: {path: /health, port: nope, httpHeaders: [{name: a, value: b}]}}
`
	got := call(t, values, "convert", "helm", "--modelservice", "-")
	if got.code != exitError {
		t.Errorf("%d %s", got.code, got.errors)
	}
	if !strings.Contains(got.errors, "<stdin>:2:1: decode: as an InferenceStack, spec.decode: makes Deployment \"ms-inference-scheduling-llm-d-modelservice-decode\"") ||
		!strings.Contains(got.errors, "[probe-port]") {
		t.Errorf("the probe's port is not found wrong in\n%s", got.errors)
	}
	right := call(t, strings.Replace(values, "nope", "8000", 1), "convert", "helm", "--modelservice", "-")
	if right.code != exitOK || strings.Contains(right.errors, "[probe-port]") {
		t.Errorf("%d %s", right.code, right.errors)
	}
}
