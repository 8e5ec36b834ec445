package fn

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/inferstack/inferstack/internal/long"
)

const guarded = `apiVersion: inferstack.dev/v1alpha1
kind: InferenceStack
metadata:
  name: llama
  namespace: prod
spec:
  model: {name: meta-llama/Llama-3.1-70B-Instruct}
  decode:
    replicas: 2
    parallelism: {tensor: 4}
  server:
    image: docker.io/vllm/vllm-openai:v0.30.0
  scheduler:
    image: registry.example.com/llm-d/llm-d-router-endpoint-picker:v0.10.0
`

// TestPolicies has rules of each sort agree, and not.
func TestPolicies(t *testing.T) {
	for name, c := range map[string]struct{ policy, want string }{
		"agrees":                  {"spec: decode: replicas: <=2\nfacts: accelerators: <=8\n", ""},
		"a field":                 {"package policy\n\n// Two are too many.\nspec: decode: replicas: <=1\n", "stack.yaml:9:15: spec.decode.replicas: Two are too many. (InferenceStack prod/llama, policy.cue:4)"},
		"a fact":                  {"facts: accelerators: <=4\n", "stack.yaml:8:3: spec.decode: accelerators: invalid value 8 (out of bound <=4) ("},
		"without a comment":       {"spec: decode: replicas: <=1\n", "stack.yaml:9:15: spec.decode.replicas: invalid value 2 (out of bound <=1) (InferenceStack prod/llama, policy.cue:1)"},
		"a default":               {"// Fail closed.\nspec: scheduler: failureMode: \"FailClose\"\n", "stack.yaml:13:3: spec.scheduler.failureMode: Fail closed. ("},
		"an image":                {"// From the mirror.\nfacts: images: [...=~\"^registry.example.com/\"]\n", "stack.yaml:12:12: spec.server.image: From the mirror. ("},
		"accelerators":            {"// At most 4.\nfacts: accelerators: <=4\n", "stack.yaml:8:3: spec.decode: At most 4. ("},
		"a condition":             {"metadata: namespace: string\nif metadata.namespace == \"prod\" {\n\t// One in prod.\n\tspec: decode: replicas: 1\n}\n", "spec.decode.replicas: One in prod. ("},
		"another condition":       {"metadata: namespace: string\nif metadata.namespace == \"dev\" {\n\tspec: decode: replicas: 1\n}\n", ""},
		"not there":               {"spec: prefill?: replicas: <=1\n", ""},
		"a field that is not set": {"// Say why.\nspec: server: serviceAccountName: string\n", "spec.server.serviceAccountName: Say why. ("},
		"a label":                 {"// Whose is it?\nmetadata: labels: team: string\n", "metadata.labels.team: Whose is it? ("},
		"a misspelt field":        {"spec: decode: replica: 1\n", "policy.cue:1:15: "},
		"a name of its own":       {"_limit: 2\nspec: decode: replicas: <=_limit\n", ""},
		"all at once":             {"spec: decode: {\n\t// A.\n\treplicas: 1\n\t// B.\n\tparallelism: tensor: 1\n}\n", "spec.decode.replicas: A. (InferenceStack prod/llama, policy.cue:3)\nstack.yaml:10:27: spec.decode.parallelism.tensor: B. ("},
		"a library":               {"import \"strings\"\n\n// Short names.\nmetadata: name: strings.MaxRunes(3)\n", "stack.yaml:4:9: metadata.name: Short names. ("},
		"no CUE":                  {"spec: {\n", "policy.cue:"},
		"no such reference":       {"spec: decode: replicas: limit\n", "policy.cue:1:25: reference \"limit\" not found"},
		"no such package":         {"import \"example.com/x\"\n\nspec: x.y\n", "example.com/x"},
		"files and programs":      {"import \"tool/exec\"\n\n_run: exec.Run & {cmd: \"touch ran\"}\n", "policy.cue:1:8: tool/exec cannot be imported"},
		"contradicts itself":      {"spec: decode: replicas: 1\nspec: decode: replicas: 2\n", "policy.cue:"},
		"is one huge pattern":     {"spec: decode: replicas: <=1 | " + strings.Repeat("(", 100000), "policy.cue:"},
	} {
		t.Run(name, func(t *testing.T) {
			long.Case(t, 4)
			t.Chdir(t.TempDir())
			write(t, ".", map[string]string{"stack.yaml": guarded, "rules/policy.cue": c.policy})
			got := call(t, "", "validate", "stack.yaml", "--policy", "rules/policy.cue")
			text := strings.ReplaceAll(got.errors, "rules/", "")
			if (c.want == "") != (got.code == exitOK) || !strings.Contains(text, c.want) {
				t.Errorf("exit %d, want %q in\n%s%s", got.code, c.want, got.out, text)
			}
			if _, err := os.Stat("ran"); err == nil {
				t.Error("a program was run")
			}
		})
	}
}

// TestPolicyBesideAStack is found, of each stack by itself.
func TestPolicyBesideAStack(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, ".", map[string]string{"a/stack.yaml": guarded, "b/stack.yaml": strings.Replace(guarded, "prod", "dev", 1), "a/policy.cue": "spec: decode: replicas: 1\n"})
	if got := call(t, "", "validate", "b/stack.yaml"); got.code != exitOK {
		t.Error(got)
	}
	for _, args := range [][]string{{"validate", "a/stack.yaml"}, {"validate", "a", "b"}, {"validate", "a", "--policy", "a/policy.cue"}} {
		if got := call(t, "", args...); got.code == exitOK || strings.Count(got.errors, "a/stack.yaml:9:15: spec.decode.replicas: ") != 1 {
			t.Errorf("%v: %v", args, got)
		}
	}
}

// TestPoliciesSeeOverlays has stacks that kustomizations compile, patched and not, and what
// is said is said where it was written.
func TestPoliciesSeeOverlays(t *testing.T) {
	overlaid(t)
	write(t, ".", map[string]string{"few.cue": "spec: decode: replicas: <=3\n", "many.cue": "spec: decode: replicas: <=4\n"})
	for i, args := range [][]string{{"validate", prod}, {"validate", "."}, {"validate", prod + "/stack"}, {"build", prod}} {
		if !long.Part(i, 3) {
			continue
		}
		want := prod + "/stack/patch.yaml:7:15: spec.decode.replicas: "
		if got := call(t, "", append(args, "--policy", "few.cue")...); got.code != exitError || strings.Count(got.errors, want) != 1 || strings.Count(got.errors, "(InferenceStack") > 1 || strings.Count(got.errors, "prod/llama") != 1 || got.out != "" {
			t.Errorf("%v: %v", args, got)
		}
		if got := call(t, "", append(args, "--policy", "many.cue")...); got.code != exitOK {
			t.Errorf("%v: %v", args, got)
		}
	}
	// A stack that is printed, for others to compile.
	if got := call(t, "", "build", prod+"/stack", "--policy", "few.cue"); got.code != exitError || !strings.Contains(got.errors, prod+"/stack/patch.yaml:7:15: spec.decode.replicas: ") || got.out != "" {
		t.Error(got)
	}
	if got := call(t, "", "build", prod+"/stack", "--policy", "many.cue"); got.code != exitOK || !strings.Contains(got.out, "kind: InferenceStack") {
		t.Error(got)
	}
	for _, beside := range []string{prod + "/policy.cue", "base/policy.cue"} {
		write(t, ".", map[string]string{beside: "spec: decode: replicas: 1\n"})
		if got := call(t, "", "validate", prod); got.code != exitError || strings.Count(got.errors, "spec.decode.replicas: ") != 1 {
			t.Errorf("%s: %v", beside, got)
		}
		if got := call(t, "", "build", prod); got.code != exitOK {
			t.Errorf("build asks a policy that nobody has named: %v", got)
		}
		if err := os.Remove(beside); err != nil {
			t.Fatal(err)
		}
	}
	if got := call(t, "", "validate", "base", "--policy", "few.cue"); got.code != exitOK {
		t.Error(got)
	}
	if got := call(t, "", "render", "base/stack.yaml", "--policy", "few.cue"); got.code != exitOK {
		t.Error(got)
	}
	write(t, ".", map[string]string{"few.cue": "spec: decode: replicas: <=0\n"})
	if got := call(t, "", "render", "base/stack.yaml", "--policy", "few.cue"); got.code != exitError || got.out != "" || !strings.Contains(got.errors, "base/stack.yaml:") {
		t.Error(got)
	}
}

// TestWhatNoPolicySees is refused where there is a policy.
func TestWhatNoPolicySees(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, ".", map[string]string{
		"kustomization.yaml": "resources: [object.yaml]\ntransformers: [stack.yaml]\n",
		"object.yaml":        "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: object\n",
		"stack.yaml":         asFunction(t, guarded), "rules.cue": "spec: decode: replicas: 1\n",
	})
	for _, command := range []string{"validate", "build"} {
		if got := call(t, "", command, "."); got.code != exitOK {
			t.Error(got)
		}
		if got := call(t, "", command, ".", "--policy", "rules.cue"); got.code != exitError || !strings.Contains(got.errors, "where no policy sees it") {
			t.Error(got)
		}
	}
	write(t, ".", map[string]string{"policy.cue": "spec: decode: replicas: 1\n"})
	if got := call(t, "", "validate", "."); got.code != exitError || !strings.Contains(got.errors, "where no policy sees it") {
		t.Error(got)
	}
}

// TestHostilePolicies never end, or take all memory, or are no files.
func TestHostilePolicies(t *testing.T) {
	usual := policyTime
	policyTime = time.Second / 2
	defer func() { policyTime = usual }()
	t.Chdir(t.TempDir())
	var doubling strings.Builder
	doubling.WriteString("_a0: [1, 2, 3, 4, 5, 6, 7, 8]\n")
	for i := range 12 {
		fmt.Fprintf(&doubling, "_a%d: [for x in _a%d for y in _a%d {x}]\n", i+1, i, i)
	}
	write(t, ".", map[string]string{"stack.yaml": guarded, "grows.cue": doubling.String(), "large.cue": strings.Repeat("// a\n", mostPolicy/5+1)})
	for file, want := range map[string]string{"grows.cue": "grows.cue: ", "large.cue": "more than 1 MiB", ".": "must be a file", "none.cue": "no such file"} {
		started := time.Now()
		got := call(t, "", "validate", "stack.yaml", "--policy", file)
		if got.code == exitOK || !strings.Contains(got.errors, want) || len(got.errors) > 2000 {
			t.Errorf("%s: exit %d\n%.500s", file, got.code, got.errors)
		}
		if time.Since(started) > time.Minute {
			t.Errorf("%s took %s", file, time.Since(started))
		}
	}
}

// TestPolicyNames has fields that a short stack leaves out, which is a violation, and those that no stack
// has, which is an error of the policy.
func TestPolicyNames(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, ".", map[string]string{"stack.yaml": "apiVersion: inferstack.dev/v1alpha1\nkind: InferenceStack\nmetadata: {name: q}\nspec:\n  model: {name: Qwen/Qwen3-32B}\n"})
	wants := map[string]string{
		"spec: networkPolicy!: {allowEgress: bool}":                    "spec.networkPolicy",
		"spec: networkPolicy!: _":                                      "stack.yaml:4:1: spec.networkPolicy: must be set (",
		"spec: networkPolicy: {...}":                                   "stack.yaml:4:1: spec.networkPolicy: must be set (",
		"spec: monitoring: {}":                                         "spec.monitoring: must be set (",
		"spec: model: tokenSecret!: name!: string":                     "stack.yaml:5:10: spec.model.tokenSecret.name: must be set (",
		"spec: decode: disruptionBudget!: {maxUnavailable: 1}":         "stack.yaml:4:1: spec.decode.disruptionBudget.maxUnavailable: must be set (",
		"metadata: labels: {}":                                         "stack.yaml:3:11: metadata.labels: must be set (",
		"spec: decode: resources: limits: memory: string":              "stack.yaml:4:1: spec.decode.resources.limits.memory: must be set (",
		"spec: decode: nodeSelector: pool: \"gpu\"":                    "spec.decode.nodeSelector.pool: must be set (",
		"spec: server: podLabels: team: string":                        "spec.server.podLabels.team: must be set (",
		"spec: decode: podTemplatePatch: spec: nodeSelector: a: \"b\"": "spec.decode.podTemplatePatch.spec.nodeSelector.a: must be set (",
		"metadata: annotations?: \"a.b/c\": string":                    "",
		"spec: decode: nodeSelector?: pool: \"gpu\"":                   "",
		"spec: networkPolicy?: {...}":                                  "",
		"specs: _":                                                     `policy.cue:1:1: specs: unknown field; did you mean "spec"?`,
		"fact: accelerators: <=0":                                      `policy.cue:1:1: fact: unknown field; did you mean "facts"?`,
		"Facts: accelerators: <=0":                                     `policy.cue:1:1: Facts: unknown field; did you mean "facts"?`,
		"metdata: namespace: \"x\"":                                    `policy.cue:1:1: metdata: unknown field; did you mean "metadata"?`,
		"metadata: nam?: \"x\"":                                        `policy.cue:1:11: metadata.nam: unknown field; did you mean "metadata.name"?`,
		"facts: accelerator?: <=0":                                     `policy.cue:1:8: facts.accelerator: unknown field; did you mean "facts.accelerators"?`,
		"facts: pods: 1":                                               `policy.cue:1:8: facts.pods: unknown field; there are images, accelerators`,
		"spec: decode: replica?: <1":                                   `policy.cue:1:15: spec.decode.replica: unknown field; did you mean "spec.decode.replicas"?`,
		"spec: prefill?: replica: <1":                                  `spec.prefill.replica: unknown field; did you mean "spec.prefill.replicas"?`,
		"spec: decode: {replicas: <1, replica!: 1}":                    `spec.decode.replica: unknown field; did you mean "spec.decode.replicas"?`,
		"if false {spec: decode: replica: 1}":                          `spec.decode.replica: unknown field; did you mean "spec.decode.replicas"?`,
		"#D: replica?: 1\nspec: decode: {#D, ...}":                     `spec.decode.replica: unknown field; did you mean "spec.decode.replicas"?`,
		"spec: decode: env?: [...{nme?: string}]":                      `spec.decode.env.nme: unknown field; did you mean "spec.decode.env.name"?`,
		"most: 2": `policy.cue:1:1: most: unknown field; a policy sees metadata, spec, facts; what is its own is named _most or #most`,
		"_most: 2\n#D: 1\nlet own = 1\n_other: own": "",
	}
	for i, policy := range slices.Sorted(maps.Keys(wants)) {
		if !long.Part(i, 4) {
			continue
		}
		want := wants[policy]
		write(t, ".", map[string]string{"policy.cue": policy + "\n"})
		got := call(t, "", "validate", "stack.yaml")
		if (want == "") != (got.code == exitOK) || !strings.Contains(got.errors, want) {
			t.Errorf("%s: exit %d, want %q in\n%s%s", policy, got.code, want, got.out, got.errors)
		}
	}
}
