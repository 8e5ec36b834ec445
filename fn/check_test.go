package fn

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const checkedService = `apiVersion: v1
kind: Service
metadata: {name: web}
spec: {selector: {app: web}, ports: [{port: 80, targetPort: http}]}
---
apiVersion: v1
kind: Pod
metadata: {name: web, labels: {app: web}}
spec: {containers: [{name: web, image: web, ports: [{name: PORT, containerPort: 80}]}]}
`

// TestCheck runs the command over a set in two files, from standard input, and wrongly.
func TestCheck(t *testing.T) {
	dir := t.TempDir()
	service, pod, _ := strings.Cut(strings.ReplaceAll(checkedService, "PORT", "web"), "---\n")
	for name, text := range map[string]string{"service.yaml": service, "pod.yaml": pod, "values.yaml": "a: 1\n", "broken.yaml": "a: [\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	good := strings.ReplaceAll(checkedService, "PORT", "http")
	silenced := strings.Replace(checkedService, "{name: web}\nspec: {selector", "{name: web, annotations: {inferstack.dev/ignore: service-target-port=an old client}}\nspec: {selector", 1)
	for _, test := range []struct {
		args     []string
		in       string
		code     int
		out, err string
	}{
		{args: []string{"check", dir}, code: exitUsage, out: "service.yaml:4: error: Service web: targetPort http is not a port of the pods of Pod web [service-target-port]", err: "2 objects: 2 errors, 0 warnings"},
		{args: []string{"check", filepath.Join(dir, "service.yaml"), filepath.Join(dir, "pod.yaml")}, code: exitError, out: "targetPort http is not a port"},
		{args: []string{"check", "-o", "github", dir}, code: exitUsage, out: "broken.yaml,line=1,title=unreadable::not YAML: "},
		{args: []string{"check", "-o", "sarif", dir}, code: exitUsage, out: "\"ruleId\": \"unreadable\""},
		{args: []string{"check", "-o", "json", filepath.Join(dir, "broken.yaml")}, code: exitUsage, out: "\"rule\": \"unreadable\""},
		{args: []string{"check"}, in: "apiVersion: v1\nkind: Service\nmetadata:\n  name: a\n  name: b\n", code: exitUsage, out: "<stdin>:5:3: error: metadata.name: written twice; first on line 4 [unreadable]"},
		{args: []string{"check"}, in: good, err: "2 objects: 0 errors, 0 warnings"},
		{args: []string{"check", "-", "-o", "json"}, in: good, out: "[]"},
		{args: []string{"check", filepath.Join(dir, "broken.yaml")}, code: exitUsage, out: "broken.yaml:1: error: not YAML: "},
		{args: []string{"check", filepath.Join(dir, "nowhere.yaml")}, code: exitUsage, err: "nowhere.yaml: no such file"},
		{args: []string{"check", filepath.Join(dir, "values.yaml")}, code: exitUsage, err: "no Kubernetes objects"},
		{args: []string{"check", "--platform", "kubernetes=1.20"}, in: "apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: a}\n", code: exitError, out: "policy/v1 PodDisruptionBudget is not served before kubernetes 1.21, and 1.20 is declared"},
		{args: []string{"check", "--platform", "kube=1.20"}, in: good, code: exitUsage, err: "--platform knows"},
		{args: []string{"check"}, in: "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n", err: "1 object: 0 errors, 0 warnings\n"},
		{args: []string{"check"}, in: silenced, err: "2 objects: 0 errors, 0 warnings, 1 silenced\n"},
		{args: []string{"check", "-o", "json"}, in: silenced, out: "[]"},
		{args: []string{"check", "-o", "sarif"}, in: silenced, out: `"justification": "an old client"`},
		{args: []string{"check", "-o", "xml"}, in: good, code: exitUsage, err: "--output is text, json, sarif, github"},
	} {
		var out, err bytes.Buffer
		code := run(test.args, streams{strings.NewReader(test.in), &out, &err})
		if code != test.code || !strings.Contains(out.String(), test.out) || !strings.Contains(err.String(), test.err) {
			t.Errorf("%v: exit %d\n%s\n%s", test.args, code, out.String(), err.String())
		}
	}
}

// TestCheckCompiles checks what stacks become, and says what is wrong on the stack.
func TestCheckCompiles(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	write(t, dir, map[string]string{
		"stacks/good/stack.yaml":           small,
		"bad/stack.yaml":                   small + "  gateway: {class: nginx}\n",
		"stacks/.hidden/x.yaml":            "{",
		"stacks/chart/Chart.yaml":          "name: chart\n",
		"stacks/chart/templates/more.yaml": "{{ if }}\n",
	})
	if got := call(t, "", "check", "stacks"); got.code != exitOK || !strings.HasSuffix(got.errors, " objects: 0 errors, 0 warnings\n") || strings.HasPrefix(got.errors, "1 ") {
		t.Errorf("%+v", got)
	}
	got := call(t, "", "check", "bad")
	if got.code != exitError || !strings.Contains(got.out, "bad/stack.yaml:") || !strings.Contains(got.out, `: error: spec.gateway.class: must be one of istio, kgateway, agentgateway, gke, envoy (got "nginx") [stack-value]`) {
		t.Errorf("%+v", got)
	}
	write(t, dir, map[string]string{"token/stack.yaml": "apiVersion: inferstack.dev/v1alpha1\nkind: InferenceStack\nmetadata: {name: qwen}\nspec: {model: {name: Qwen/Qwen3-0.6B, tokenSecret: {name: hf}}}\n"})
	if got := call(t, "", "check", "token", "-o", "github"); got.code != exitOK || !strings.HasPrefix(got.out, "::notice file=token/stack.yaml,line=1,") {
		t.Errorf("a finding on an object is not put on the stack: %+v", got)
	}
}

// TestCheckSilencesStacks silences a warning about a stack and a finding on its objects, and
// says so of an unknown rule.
func TestCheckSilencesStacks(t *testing.T) {
	stack := func(ignore string) string {
		return "apiVersion: inferstack.dev/v1alpha1\nkind: InferenceStack\nmetadata: {name: qwen, annotations: {inferstack.dev/ignore: \"" + ignore + "\"}}\n" +
			"spec: {model: {name: Qwen/Qwen3-0.6B}, decode: {replicas: 0}}\n"
	}
	for ignore, want := range map[string]struct {
		said  string
		heard bool
	}{
		"":                                  {"[stack-no-servers]", true},
		"stack-no-servers=scaled at night":  {"[stack-no-servers]", false},
		"stack-no-servers":                  {"[stack-ignore-incomplete]", true},
		"stack-no-server=scaled at night":   {"there is no rule stack-no-server", true},
		"stack-no-servers=scaled; other=ok": {"[stack-ignore-incomplete]", false},
	} {
		got := call(t, stack(ignore), "check")
		if got.code != exitOK || strings.Contains(got.out, want.said) != want.heard {
			t.Errorf("%q: %+v", ignore, got)
		}
		if rendered := call(t, stack(ignore), "render", "-"); strings.Contains(rendered.errors, "no server is started") != !strings.Contains(ignore, "=scaled") && ignore != "stack-no-server=scaled at night" {
			t.Errorf("%q: render says %s", ignore, rendered.errors)
		}
	}
}

// TestCheckTokenizer: precise prefix caching asks Hugging Face for a tokenizer by the name of a
// model that comes from a claim.
func TestCheckTokenizer(t *testing.T) {
	const stack = "apiVersion: inferstack.dev/v1alpha1\nkind: InferenceStack\nmetadata: {name: q, namespace: llm}\n" +
		"spec: {release: \"RELEASE\", model: {name: NAME, source: SOURCE}, scheduler: {preset: precise-prefix}}\n"
	for _, tt := range []struct {
		release, name, source string
		found                 bool
	}{
		{"0.4", "my-llama", "pvc://weights/llama", true},
		{"0.10", "my-llama", "pvc://weights/llama", true},
		{"0.4", "meta-llama/Llama-3.1-8B", "pvc://weights/llama", false},
		{"0.10", "meta-llama/Llama-3.1-8B", "pvc://weights/llama", false},
		{"0.10", "gpt2", "hf://openai-community/gpt2", false},
	} {
		got := call(t, strings.NewReplacer("RELEASE", tt.release, "NAME", tt.name, "SOURCE", tt.source).Replace(stack), "check")
		if got.code != exitOK || strings.Contains(got.out, "[kv-tokenizer]") != tt.found {
			t.Errorf("%+v: %+v", tt, got)
		}
	}
}
