package wiring

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// pickerOf is an endpoint picker of an image with what it may watch.
func pickerOf(image, args, rules string) string {
	return fmt.Sprintf(`apiVersion: v1
kind: ServiceAccount
metadata: {name: epp, namespace: llm}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: epp, namespace: llm}
rules: [%s]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: epp, namespace: llm}
subjects: [{kind: ServiceAccount, name: epp}]
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: epp}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: epp, namespace: llm}
spec:
  selector: {matchLabels: {app: epp}}
  template:
    metadata: {labels: {app: epp}}
    spec:
      serviceAccountName: epp
      containers: [{name: epp, image: %q, args: [%s]}]
`, rules, image, args)
}

func rule(group string, resources ...string) string {
	return fmt.Sprintf("{apiGroups: [%q], resources: [%s], verbs: [get, list, watch]}", group, strings.Join(resources, ", "))
}

// said are the messages of one rule.
func said(t *testing.T, text, id string) []string {
	t.Helper()
	objects, err := Read("set.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, f := range Check(objects, Options{Rules: []string{id}}) {
		out = append(out, f.Message+": "+f.Remedy)
	}
	return out
}

const (
	gie       = "registry.k8s.io/gateway-api-inference-extension/epp:v"
	scheduler = "ghcr.io/llm-d/llm-d-inference-scheduler:v"
	router    = "ghcr.io/llm-d/llm-d-router-endpoint-picker:v"
)

// TestRightsOfEveryVersion takes one right after the other away from endpoint pickers of every
// version that is known.
func TestRightsOfEveryVersion(t *testing.T) {
	pods, pools, oldPools := rule("", "pods"), rule(poolGroup, "inferencepools"), rule(poolGroupOld, "inferencepools")
	models, objectives := rule(poolGroupOld, "inferencemodels"), rule(poolGroupOld, "inferenceobjectives")
	rewrites := rule(poolGroupOld, "inferencemodelrewrites")
	own := rule("llm-d.ai", "inferenceobjectives", "inferencemodelrewrites")
	needs := map[string][]string{
		gie + "0.3.0": {pods, oldPools, models}, gie + "0.5.1": {pods, oldPools, models},
		gie + "1.0.1": {pods, pools, objectives}, gie + "1.1.0": {pods, pools, objectives}, gie + "1.2.1": {pods, pools, objectives},
		gie + "1.3.0": {pods, pools, objectives, rewrites}, gie + "1.4.0": {pods, pools, objectives, rewrites}, gie + "1.5.0": {pods, pools, objectives, rewrites},
		scheduler + "0.2.1": {pods, oldPools, models}, scheduler + "0.3.2": {pods, pools, objectives}, scheduler + "0.4.0": {pods, pools, objectives},
		scheduler + "0.5.1": {pods, pools, objectives, rewrites}, scheduler + "0.6.0": {pods, pools, objectives, rewrites},
		scheduler + "0.7.1": {pods, pools, objectives, rewrites}, scheduler + "0.8.0": {pods, pools, objectives, rewrites},
		router + "0.9.0": {pods, pools, own}, router + "0.10.0": {pods, pools, own}, router + "0.12.0": {pods, pools, own},
	}
	for image, rules := range needs {
		name := "--pool-name=qwen"
		if slices.Contains(rules, oldPools) {
			name = "--poolName=qwen"
		}
		if got := said(t, pickerOf(image, name, strings.Join(rules, ", ")), "epp-rbac"); got != nil {
			t.Errorf("%s with all it needs: %s", image, got)
		}
		for i := range rules {
			less := slices.Delete(slices.Clone(rules), i, i+1)
			if got := said(t, pickerOf(image, name, strings.Join(less, ", ")), "epp-rbac"); len(got) != 1 {
				t.Errorf("%s without %s: %s", image, rules[i], got)
			}
		}
	}
}

// TestRights are those that have nothing to do with the version.
func TestRights(t *testing.T) {
	pods, pools := rule("", "pods"), rule(poolGroup, "inferencepools")
	if got := said(t, pickerOf(router+"0.10.0", "--endpoint-selector=app=llm", pods), "epp-rbac"); got != nil {
		t.Error("without a pool only pods are watched:", got)
	}
	if got := said(t, pickerOf("example.com/epp:latest", "--pool-name=qwen", pools), "epp-rbac"); len(got) != 1 {
		t.Error("every endpoint picker watches pods:", got)
	}
	noList := strings.ReplaceAll(strings.Join([]string{pods, pools}, ", "), "list, ", "")
	if got := said(t, pickerOf("example.com/epp:latest", "--pool-name=qwen", noList), "epp-rbac"); len(got) != 1 {
		t.Error("a watch needs the verb list:", got)
	}
}

func TestFlagsOfVersions(t *testing.T) {
	tests := []struct{ image, args, want string }{
		{gie + "0.3.0", "-poolName, p, -grpcPort, '9002'", ""},
		{gie + "0.5.1", "--poolName=p, --grpcHealthPort=9003", ""},
		{gie + "0.5.1", "--pool-name=p", "the endpoint picker of 0.5.1 has no flag --pool-name: write --poolName"},
		{gie + "1.0.0", "--poolName=p", "the endpoint picker of 1.0.0 has no flag --poolName: write --pool-name"},
		{gie + "1.0.0", "--pool-name=p, --metrics-endpoint-auth=false", "the endpoint picker of 1.0.0 has no flag --metrics-endpoint-auth: leave it out: it came with 1.1"},
		{gie + "1.1.0", "--pool-name=p, --metrics-endpoint-auth=false, --tracing=false, -v=4, --zap-encoder=json", ""},
		{gie + "1.5.0", "--pool-name=p, --model-server-metrics-port=8200", ""},
		{scheduler + "0.2.1", "--poolName=p", ""},
		{scheduler + "0.3.0", "--pool-name=p", ""},
		{scheduler + "0.4.0", "--pool-name=p, --metrics-endpoint-auth=false", ""},
		{router + "0.9.0", "--pool-name=p, --lora-info-metric=x", ""},
		{router + "0.10.0", "--pool-name=p, --lora-info-metric=x", "the endpoint picker of 0.10.0 has no flag --lora-info-metric: it moved into the engineConfigs parameter of core-metrics-extractor"},
		{router + "0.10.0", "--pool-name=p, --drain-timout=30s", "the endpoint picker of 0.10.0 has no flag --drain-timout: did you mean --drain-timeout?"},
		{router + "0.12.1", "--poolName=p", "the endpoint picker of 0.12.1 has no flag --poolName (judged as 0.10: 0.12 is not known): write --pool-name"},
		{"example.com/epp:latest", "--poolName=p", "--poolName is not a flag any more: write --pool-name"},
	}
	for _, tt := range tests {
		if got := strings.Join(said(t, pickerOf(tt.image, tt.args, ""), "epp-flag"), "; "); got != tt.want {
			t.Errorf("%s %s: %q, want %q", tt.image, tt.args, got, tt.want)
		}
	}
}

// TestOpenMetrics advises a flag only to versions that have it.
func TestOpenMetrics(t *testing.T) {
	for image, want := range map[string]bool{gie + "1.0.0": false, gie + "1.1.0": true, scheduler + "0.3.0": false, router + "0.10.0": true} {
		got := strings.Join(said(t, pickerOf(image, "--pool-name=p", rule("", "pods")), "metrics-auth"), "")
		if got == "" || strings.Contains(got, "--metrics-endpoint-auth=false") != want {
			t.Errorf("%s: %q", image, got)
		}
	}
}

// TestOffloadedByRanks holds what is offloaded to what vLLM shares among its workers: tensor
// parallelism does not multiply it, data parallelism does.
func TestOffloadedByRanks(t *testing.T) {
	for args, want := range map[string]int{
		"--tensor-parallel-size=2":                                     0,
		"--data-parallel-size=2":                                       1,
		"--data-parallel-size=8, --data-parallel-size-local=1":         0,
		"--data-parallel-size=8, --data-parallel-size-local=2":         1,
		"--tensor-parallel-size=2, --data-parallel-size=2, --unknown":  1,
		"--pipeline-parallel-size=4, --data-parallel-external-lb=true": 0,
	} {
		set := `apiVersion: v1
kind: Pod
metadata: {name: server, namespace: llm}
spec:
  containers:
  - name: main
    image: vllm/vllm-openai:v0.30.0
    command: [vllm, serve, /models]
    resources: {limits: {memory: 300Gi}}
    args: [` + args + `, '--kv-transfer-config={"kv_connector":"OffloadingConnector","kv_role":"kv_both","kv_connector_extra_config":{"cpu_bytes_to_use":214748364800}}']
`
		if got := said(t, set, "kv-offload-memory"); len(got) != want {
			t.Errorf("%s: %q", args, got)
		}
	}
}
