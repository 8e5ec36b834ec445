package wiring

import (
	"fmt"
	"slices"
	"testing"
)

// TestScripts finds flags in shell scripts, each on a line of its own or not, with the
// variables that the container names.
func TestScripts(t *testing.T) {
	for script, wrong := range map[string]bool{
		`exec vllm serve m --port 8200`:                        false,
		`exec vllm serve m --port 8201`:                        true,
		`exec vllm serve m \\\n--host 0.0.0.0 \\\n--port 8200`: false,
		`exec vllm serve m \\\n--port $PORT \\\n--x`:           false,
		`exec vllm serve m \\\n--port \"${PORT}\" \\\n--x`:     false,
		`exec vllm serve m --port $OTHER`:                      true,
		`exec vllm serve m --port 8200 # not --port 8201`:      false,
		`exec vllm serve m --port 8200
# or --port 8201 \
`: false,
		`exec vllm serve m --port $UNKNOWN`:        false,
		`exec vllm serve m --port $((8000 + 200))`: false,
	} {
		set := fmt.Sprintf(`apiVersion: apps/v1
kind: Deployment
metadata: {name: a, namespace: b}
spec:
  selector: {matchLabels: {app: a}}
  template:
    metadata: {labels: {app: a, llm-d.ai/role: decode}}
    spec:
      initContainers:
      - {name: routing-proxy, image: "ghcr.io/llm-d/llm-d-router-disagg-sidecar:v0.10.0", restartPolicy: Always, args: [--port=8000, --model-server-port=8200]}
      containers:
      - {name: main, image: "vllm/vllm-openai:v0.30.0", command: [bash, -c], args: ["%s"], env: [{name: PORT, value: "8200"}, {name: OTHER, value: "8201"}]}
`, script)
		if got := slices.Concat(said(t, set, "sidecar-port"), said(t, set, "flag-value")); (len(got) > 0) != wrong {
			t.Errorf("%s: %q", script, got)
		}
	}
}
