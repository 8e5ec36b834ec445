package wiring

import (
	"fmt"
	"strings"
	"testing"
)

func TestVariables(t *testing.T) {
	tests := map[string]struct {
		kind, container, want string
	}{
		"defined":            {"Deployment", "args: [--host=$(IP)], env: [{name: IP, value: a}]", ""},
		"missing":            {"Deployment", "args: [--host=$(POD_IP)]", "main has no variable POD_IP"},
		"in a command":       {"Deployment", "command: [serve, $(MODEL)]", "main has no variable MODEL"},
		"lower case":         {"Deployment", "args: [--model=$(model)], command: [vllm]", "main has no variable model"},
		"escaped":            {"Deployment", "args: [--host=$$(POD_IP)]", ""},
		"escaped twice":      {"Deployment", "args: [--host=$$$(POD_IP)]", "main has no variable POD_IP"},
		"of a shell":         {"Deployment", "command: [sh, -c, 'serve --host $(hostname) --sum $((N+1))']", ""},
		"in a shell":         {"Deployment", "command: [sh, -c, 'serve --host $(POD_IP)']", "main has no variable POD_IP"},
		"for another tool":   {"Deployment", "args: ['--host=${POD_IP}']", ""},
		"from elsewhere":     {"Deployment", "args: [--host=$(POD_IP)], envFrom: [{configMapRef: {name: other}}]", ""},
		"from the set":       {"Deployment", "args: [--host=$(HOST)], envFrom: [{configMapRef: {name: env}}]", ""},
		"not from the set":   {"Deployment", "args: [--host=$(HOTS)], envFrom: [{configMapRef: {name: env}}]", "main has no variable HOTS"},
		"in a value":         {"Deployment", "env: [{name: URL, value: 'http://$(HOST)'}]", "main has no variable HOST before URL"},
		"before":             {"Deployment", "env: [{name: HOST, value: a}, {name: URL, value: 'http://$(HOST)'}]", ""},
		"after":              {"Deployment", "env: [{name: URL, value: 'http://$(HOST)'}, {name: HOST, value: a}]", "main has no variable HOST before URL"},
		"of itself":          {"Deployment", "env: [{name: LIBS, value: '/opt:$(LIBS)'}]", "main has no variable LIBS before LIBS"},
		"of the API server":  {"Deployment", "args: [$(KUBERNETES_SERVICE_HOST)]", ""},
		"of a Service":       {"Deployment", "args: [$(REDIS_SERVICE_PORT), $(CACHE_PORT)]", ""},
		"like a Service":     {"Deployment", "args: [$(POD_PORT)]", "main has no variable POD_PORT"},
		"of a group":         {"LeaderWorkerSet", "args: [--nnodes=$(LWS_GROUP_SIZE)]", ""},
		"of no group":        {"Deployment", "args: [--nnodes=$(LWS_GROUP_SIZE)]", "main has no variable LWS_GROUP_SIZE"},
		"of a TPU":           {"Deployment", "args: [$(TPU_WORKER_ID)], resources: {limits: {google.com/tpu: 4}}", ""},
		"of an image's":      {"Deployment", "args: [$(PATH)]", "main has no variable PATH"},
		"a misspelt one":     {"Deployment", "args: [$(POD_ADRESS)], env: [{name: POD_ADDRESS, value: a}]", "did you mean $(POD_ADDRESS)?"},
		"of what is patched": {"Deployment", "args: [--host=$(POD_IP)], image: ''", ""},
	}
	for name, tt := range tests {
		image := "image: x"
		if strings.Contains(tt.container, "image:") {
			image = "stdin: false"
		}
		pods := fmt.Sprintf("{spec: {containers: [{name: main, %s, %s}]}, metadata: {labels: {app: a}}}", image, tt.container)
		spec := "{selector: {matchLabels: {app: a}}, template: " + pods + "}"
		if tt.kind == "LeaderWorkerSet" {
			spec = "{leaderWorkerTemplate: {size: 2, workerTemplate: " + pods + "}}"
		}
		set := fmt.Sprintf("apiVersion: x/v1\nkind: %s\nmetadata: {name: a, namespace: b}\nspec: %s\n", tt.kind, spec) +
			"---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: env, namespace: b}\ndata: {HOST: a}\n" +
			"---\napiVersion: v1\nkind: Service\nmetadata: {name: cache, namespace: b}\n"
		got := said(t, set, "undefined-variable")
		if tt.want == "" && got != nil || tt.want != "" && (len(got) != 1 || !strings.Contains(got[0], tt.want)) {
			t.Errorf("%s: %q", name, got)
		}
	}
}
