package wiring

import (
	"fmt"
	"strings"
	"testing"
)

// transferPool is a pool with a decode server behind a sidecar and a prefill server, each
// started with more arguments.
func transferPool(decode, prefill string) string {
	server := `---
apiVersion: apps/v1
kind: Deployment
metadata: {name: %[1]s, namespace: llm}
spec:
  selector: {matchLabels: {app: chat, llm-d.ai/role: %[1]s}}
  template:
    metadata: {labels: {app: chat, llm-d.ai/role: %[1]s}}
    spec:
      initContainers: [%[3]s]
      containers: [{name: main, image: 'vllm/vllm-openai:v0.23.0', command: [vllm, serve, /models], args: [--port=8200%[2]s]}]
`
	sidecar := "{name: proxy, restartPolicy: Always, image: 'ghcr.io/llm-d/llm-d-router-disagg-sidecar:v0.10.0', args: [--port=8000]}"
	return `apiVersion: inference.networking.k8s.io/v1
kind: InferencePool
metadata: {name: chat, namespace: llm}
spec: {selector: {matchLabels: {app: chat}}, targetPorts: [{number: 8000}]}
` + fmt.Sprintf(server, "decode", decode, sidecar) + fmt.Sprintf(server, "prefill", prefill, "")
}

func TestConnectors(t *testing.T) {
	const nixl = `, '--kv-transfer-config={"kv_connector":"NixlConnector","kv_role":"kv_both"}'`
	tests := map[string]struct {
		decode, prefill string
		want            []string
	}{
		"both":            {nixl, nixl, nil},
		"neither":         {"", "", []string{"decode server main", "prefill server main"}},
		"only decode":     {nixl, "", []string{"prefill server main"}},
		"only prefill":    {"", nixl, []string{"decode server main"}},
		"one by one":      {", --kv-transfer-config.kv_connector=NixlConnector", nixl, nil},
		"with underscore": {strings.ReplaceAll(nixl, "kv-transfer-config", "kv_transfer_config"), nixl, nil},
		"in a file":       {", --config=/etc/vllm.yaml", nixl, nil},
		"filled in later": {", $(EXTRA)", nixl, nil},
		"of two kinds":    {nixl, strings.ReplaceAll(nixl, "Nixl", "Mooncake"), []string{"receives by NixlConnector"}},
	}
	for name, tt := range tests {
		got := said(t, transferPool(tt.decode, tt.prefill), "pd-connector")
		if len(got) != len(tt.want) {
			t.Errorf("%s: %q", name, got)
			continue
		}
		for i, want := range tt.want {
			if !strings.Contains(got[i], want) {
				t.Errorf("%s: %q", name, got)
			}
		}
	}
}
