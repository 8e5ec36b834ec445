package fn

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	sigsyaml "sigs.k8s.io/yaml"

	"github.com/inferstack/inferstack/internal/long"
)

// TestBuildIsKustomize builds the examples and overlays as kustomize does.
func TestBuildIsKustomize(t *testing.T) {
	root := copyExamples(t)
	t.Setenv("PATH", filepath.Dir(binary(t))+string(os.PathListSeparator)+os.Getenv("PATH"))
	for i, name := range []string{"quickstart", "multi-node", "overlays/base", "overlays/dev", "overlays/prod", "overlays/renamed"} {
		if !long.Part(i, 4) {
			continue
		}
		dir := filepath.Join(root, filepath.FromSlash(name))
		want, err := kustomize(t, dir)
		if err != nil {
			t.Fatal(err)
		}
		got := call(t, "", "build", dir)
		if diff := cmp.Diff(want, got.out); diff != "" || got.code != exitOK {
			t.Errorf("%s: exit %d: %s%s", name, got.code, got.errors, diff)
		}
	}
}

// TestGeneratorsInKustomizations has stacks as generators beside all that kustomize does before, after and
// with them, in an order that shows.
func TestGeneratorsInKustomizations(t *testing.T) {
	const fifo = "sortOptions: {order: fifo}\n"
	another := strings.ReplaceAll(small, "llama", "other")
	settings := "configMapGenerator: [{name: settings, literals: [a=b]}]\n"
	object := "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: object\n"
	for name, tree := range map[string]map[string]string{
		"beside resources and generators": {"kustomization.yaml": fifo + settings + "generators: [stack.yaml, other.yaml]\nresources: [object.yaml]\n"},
		"before a component": {"kustomization.yaml": fifo + "generators: [stack.yaml]\ncomponents: [part]\n",
			"part/kustomization.yaml": "kind: Component\napiVersion: kustomize.config.k8s.io/v1alpha1\n" + settings + "patches: [{target: {kind: InferencePool}, patch: '[{op: add, path: /metadata/labels/x, value: y}]'}]\n"},
		"in a component": {"kustomization.yaml": fifo + settings + "components: [part]\n",
			"part/kustomization.yaml": "kind: Component\napiVersion: kustomize.config.k8s.io/v1alpha1\ngenerators: [../in]\n", "in/kustomization.yaml": "resources: [stack.yaml]\n", "in/stack.yaml": asFunction(t, small)},
		"in a base":                 {"kustomization.yaml": fifo + "namePrefix: a-\nresources: [in, object.yaml]\n", "in/kustomization.yaml": "generators: [stack.yaml]\nlabels: [{pairs: {a: b}}]\n", "in/stack.yaml": asFunction(t, small)},
		"written out":               {"kustomization.yaml": fifo + "generators:\n- stack.yaml\n- |\n  " + strings.ReplaceAll(strings.TrimSpace(asFunction(t, another)), "\n", "\n  ") + "\n"},
		"in a list":                 {"kustomization.yaml": fifo + "generators: [stack.yaml]\n", "stack.yaml": "apiVersion: v1\nkind: List\nitems:\n- " + strings.ReplaceAll(strings.TrimSpace(asFunction(t, small)), "\n", "\n  ") + "\n"},
		"that nobody is to apply":   {"kustomization.yaml": fifo + "generators: [in]\n", "in/kustomization.yaml": "resources: [stack.yaml]\ncommonAnnotations: {config.kubernetes.io/local-config: 'true'}\n", "in/stack.yaml": asFunction(t, small)},
		"with origins":              {"kustomization.yaml": fifo + "buildMetadata: [originAnnotations]\ngenerators: [stack.yaml]\n"},
		"beside one of kustomize's": {"kustomization.yaml": fifo + "generators: [stack.yaml, theirs.yaml, other.yaml]\n", "theirs.yaml": "apiVersion: builtin\nkind: ConfigMapGenerator\nmetadata: {name: theirs}\nliterals: [a=b]\n"},
		"as a transformer":          {"kustomization.yaml": fifo + "resources: [object.yaml]\ntransformers: [stack.yaml]\n"},
	} {
		t.Run(name, func(t *testing.T) {
			long.Case(t, 3)
			t.Chdir(t.TempDir())
			write(t, ".", map[string]string{"stack.yaml": asFunction(t, small), "other.yaml": asFunction(t, another), "object.yaml": object})
			write(t, ".", tree)
			want, err := kustomize(t, ".")
			got := call(t, "", "build", ".")
			if err != nil || got.code != exitOK {
				if err == nil || got.code == exitOK {
					t.Fatalf("kustomize: %v; exit %d: %s", err, got.code, got.errors)
				}
				return
			}
			if diff := cmp.Diff(want, got.out); diff != "" || !strings.Contains(got.out, "kind: InferencePool") {
				t.Errorf("%s%s", got.errors, diff)
			}
		})
	}
}

// TestStackNeedsNoAnnotation builds one that names no function, which plain kustomize refuses, and says
// of all else what is to be added and where. Each generator's mistakes are told.
func TestStackNeedsNoAnnotation(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, ".", map[string]string{"kustomization.yaml": "generators: [stack.yaml, other.yaml]\n", "stack.yaml": small, "other.yaml": strings.ReplaceAll(small, "llama", "other")})
	if _, err := kustomize(t, "."); err == nil {
		t.Error("plain kustomize needs no annotation")
	}
	if got := call(t, "", "build", "."); got.code != exitOK || strings.Count(got.out, "kind: InferencePool\n") < 2 {
		t.Errorf("exit %d\n%s%s", got.code, got.out, got.errors)
	}
	write(t, ".", map[string]string{"stack.yaml": small + "  decoder: {}\n", "other.yaml": strings.ReplaceAll(small, "llama", "other") + "  decode: {replicas: -1}\n"})
	for _, command := range []string{"build", "validate", "check"} {
		got := call(t, "", command, ".")
		for _, want := range []string{"stack.yaml:9:3: spec.decoder: unknown field", "other.yaml:9:22: spec.decode.replicas: "} {
			if got.code == exitOK || !strings.Contains(strings.ReplaceAll(got.out, " error:", "")+got.errors, want) {
				t.Errorf("%s: no %q in\n%s", command, want, got.errors)
			}
		}
	}
	write(t, ".", map[string]string{"kustomization.yaml": "transformers: [stack.yaml, rewire.yaml]\n", "stack.yaml": small, "rewire.yaml": "apiVersion: inferstack.dev/v1alpha1\nkind: Rewire\nmetadata:\n  name: r\n"})
	got := call(t, "", "build", ".")
	for _, want := range []string{"stack.yaml:4:3: InferenceStack llama: no annotation", "rewire.yaml:4:3: Rewire r: no annotation", `annotations: {config.kubernetes.io/function: "exec: {path: inferstack}"}`} {
		if got.code == exitOK || !strings.Contains(got.errors, want) {
			t.Errorf("no %q in\n%s", want, got.errors)
		}
	}
}

// TestSaysWhatIsOverlooked has kustomizations that mean a stack and do not reach it, or nearly name one.
func TestSaysWhatIsOverlooked(t *testing.T) {
	const selecting = "generators: [stack.yaml]\nnamespace: prod\n"
	const settings = "configMapGenerator:\n- name: settings\n  literals: [model=a/b]\n"
	const replaced = "replacements:\n- source: {kind: ConfigMap, name: settings, fieldPath: data.model}\n  targets:\n  - select: {kind: InferenceStack}\n    fieldPaths: [spec.model.name]\n"
	const patch = "  patch: '[{\"op\": \"add\", \"path\": \"/spec/decode\", \"value\": {\"replicas\": 4}}]'\n"
	bare := strings.Replace(small, "  namespace: inference\n", "", 1)
	for name, c := range map[string]struct {
		tree map[string]string
		want string // nothing is said
		not  string
	}{
		"nothing":                    {map[string]string{"kustomization.yaml": selecting}, "", ""},
		"no namespace":               {map[string]string{"kustomization.yaml": "generators: [stack.yaml]\n"}, "info: stack.yaml:3:1: metadata.namespace: is not set", ""},
		"a patch":                    {map[string]string{"kustomization.yaml": selecting + "patches:\n- target: {kind: InferenceStack}\n" + patch}, "warning: kustomization.yaml:4:3: patches[0] has no effect on InferenceStack llama", ""},
		"a patch on another":         {map[string]string{"kustomization.yaml": selecting + "patches:\n- target: {kind: InferenceStack, name: other}\n" + patch}, "", ""},
		"a patch on objects":         {map[string]string{"kustomization.yaml": selecting + "patches:\n- target: {kind: Deployment}\n  patch: '[{\"op\": \"add\", \"path\": \"/spec/paused\", \"value\": true}]'\n"}, "", ""},
		"a replacement":              {map[string]string{"kustomization.yaml": selecting + settings + replaced}, "warning: kustomization.yaml:7:3: replacements[0] has no effect on InferenceStack llama", ""},
		"a ConfigMap beside a stack": {map[string]string{"kustomization.yaml": "generators: [in]\n", "in/kustomization.yaml": "resources: [../stack.yaml]\n" + settings + replaced}, "ConfigMap settings-", "InferenceStack llama"},
		"a misspelt kind":            {map[string]string{"kustomization.yaml": selecting, "stack.yaml": strings.Replace(bare, "InferenceStack", "InferenceStak", 1)}, `InferenceStak llama: kind must be InferenceStack or Rewire (got "InferenceStak"); did you mean "InferenceStack"?`, "annotation"},
		"vars":                       {map[string]string{"kustomization.yaml": selecting + "vars:\n- name: A\n  objref: {apiVersion: v1, kind: ServiceAccount, name: llama-epp}\n"}, "with buildMetadata or vars in a kustomization a stack needs it too", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			write(t, ".", map[string]string{"stack.yaml": bare})
			write(t, ".", c.tree)
			got := call(t, "", "build", ".", "--load-restrictor", "LoadRestrictionsNone")
			if c.want == "" && got.errors != "" || !strings.Contains(got.errors, c.want) || c.not != "" && strings.Contains(got.errors, c.not) {
				t.Errorf("exit %d, want %q in\n%s", got.code, c.want, got.errors)
			}
		})
	}
}

// TestVarsBelowGenerators are resolved by nobody, and stand in the way of nothing.
func TestVarsBelowGenerators(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, ".", map[string]string{
		"kustomization.yaml": "generators: [in]\nresources: [cm.yaml]\n", "cm.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: cm}\ndata: {m: Q}\n",
		"in/kustomization.yaml": "resources: [stack.yaml]\nvars:\n- name: M\n  objref: {apiVersion: v1, kind: ConfigMap, name: cm}\n  fieldref: {fieldpath: data.m}\n",
		"in/stack.yaml":         asFunction(t, small),
	})
	want, err := kustomize(t, ".")
	if err != nil {
		t.Skip(err)
	}
	if got := call(t, "", "build", "."); got.out != want {
		t.Errorf("%s%s", got.errors, cmp.Diff(want, got.out))
	}
}

func TestBuildFlags(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{
		"kustomization.yaml": "resources:\n- ../outside.yaml\n",
		"../outside.yaml":    "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: outside\n",
	})
	file := filepath.Join(t.TempDir(), "out.yaml")
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{dir}, exitError, "security; file"},
		{[]string{dir, "--load-restrictor", unrestricted}, exitOK, ""},
		{[]string{dir, "--load-restrictor", unrestricted, "-o", file}, exitOK, ""},
		{[]string{dir, "--load-restrictor", "None"}, exitUsage, "--load-restrictor must be LoadRestrictionsRootOnly or LoadRestrictionsNone"},
		{[]string{dir, "--enable-helm"}, exitUsage, "--enable-helm is not supported"},
		{[]string{dir, "--reorder", "up"}, exitUsage, "--reorder must be legacy or none"},
		{[]string{dir, "-o", dir}, exitUsage, "is a directory; build writes a file"},
		{[]string{filepath.Join(dir, "nothing")}, exitError, "no such directory"},
	} {
		got := call(t, "", append([]string{"build"}, c.args...)...)
		if got.code != c.code || !strings.Contains(got.errors, c.want) {
			t.Errorf("%v: exit %d: %s", c.args, got.code, got.errors)
		}
	}
	if got := call(t, "", "build", dir, "--load-restrictor", unrestricted, "-o", "-"); !strings.Contains(got.out, "name: outside") {
		t.Errorf("-o - is not standard output: %s", got.errors)
	}
	if text, err := os.ReadFile(file); err != nil || !strings.Contains(string(text), "name: outside") {
		t.Errorf("%v\n%s", err, text)
	}
}

// TestPatchesMergeListsOfStacks patches a stack in an overlay. What has names is merged by them,
// as in pods: an overlay's env does not lose the base's. Plain kustomize does the same with the
// schema that inferstack prints, and replaces lists without it.
func TestPatchesMergeListsOfStacks(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{
		"base/kustomization.yaml": "resources: [stack.yaml]\n",
		"base/stack.yaml": small + `  server:
    env: [{name: A, value: "1"}, {name: B, value: "2"}]
    args: [--max-model-len=8192]
    tolerations: [{key: gpu, operator: Exists, effect: NoSchedule}]
    volumes: [{name: x, emptyDir: {}}]
    volumeMounts: [{name: x, mountPath: /x}]
    containers: [{name: log, image: "a:1", env: [{name: L, value: "1"}]}]
    podTemplatePatch: {spec: {containers: [{name: modelserver, env: [{name: P, value: "1"}]}]}}
  objectives: [{name: a, priority: 1}]
`,
		"over/kustomization.yaml": "resources: [../base]\npatches:\n- path: patch.yaml\n  target: {kind: InferenceStack}\n",
		"over/patch.yaml": `apiVersion: inferstack.dev/v1alpha1
kind: InferenceStack
metadata: {name: llama}
spec:
  server:
    env: [{name: B, value: "3"}, {name: C, value: "4"}]
    args: [--max-model-len=4096]
    tolerations: [{key: spot, operator: Exists, effect: NoSchedule}]
    volumes: [{name: "y", emptyDir: {}}]
    volumeMounts: [{name: "y", mountPath: /y}]
    containers: [{name: log, env: [{name: M, value: "1"}]}]
    podTemplatePatch: {spec: {containers: [{name: modelserver, env: [{name: Q, value: "1"}]}]}}
  objectives: [{name: b, priority: 2}, {name: a, priority: 5}]
`,
	})
	over := filepath.Join(dir, "over")
	got := call(t, "", "build", over)
	var stack struct {
		Spec struct {
			Server struct {
				Env, Tolerations, Volumes, VolumeMounts []map[string]any
				Args                                    []string
				Containers                              []struct{ Env []map[string]any }
				PodTemplatePatch                        struct {
					Spec struct {
						Containers []struct{ Env []map[string]any }
					}
				}
			}
			Objectives []map[string]any
		}
	}
	if err := sigsyaml.Unmarshal([]byte(got.out), &stack); err != nil || got.code != exitOK {
		t.Fatal(err, got.errors)
	}
	s := stack.Spec.Server
	sizes := []int{len(s.Env), len(s.Args), len(s.Tolerations), len(s.Volumes), len(s.VolumeMounts), len(s.Containers), len(stack.Spec.Objectives), len(s.PodTemplatePatch.Spec.Containers)}
	if diff := cmp.Diff([]int{3, 1, 1, 2, 2, 1, 2, 1}, sizes); diff != "" || len(s.Containers[0].Env) != 2 || len(s.PodTemplatePatch.Spec.Containers[0].Env) != 2 {
		t.Errorf("%s\n%s", diff, got.out)
	}
	replaced, err := kustomize(t, over)
	if err != nil || strings.Contains(replaced, "name: A") {
		t.Errorf("plain kustomize merges by itself: %v\n%s", err, replaced)
	}
	write(t, dir, map[string]string{
		"over/kustomization.yaml": "openapi: {path: schema.json}\nresources: [../base]\npatches:\n- path: patch.yaml\n  target: {kind: InferenceStack}\n",
		"over/schema.json":        call(t, "", "schema", "-o", "openapi").out,
	})
	merged, err := kustomize(t, over)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(got.out, merged); diff != "" {
		t.Error(diff)
	}
}
