package fn

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	sigsyaml "sigs.k8s.io/yaml"
)

// TestBuildIsKustomize builds the examples and overlays as kustomize does.
func TestBuildIsKustomize(t *testing.T) {
	root := copyExamples(t)
	t.Setenv("PATH", filepath.Dir(binary(t))+string(os.PathListSeparator)+os.Getenv("PATH"))
	for _, name := range []string{"quickstart", "multi-node", "overlays/base", "overlays/dev", "overlays/prod", "overlays/renamed"} {
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
