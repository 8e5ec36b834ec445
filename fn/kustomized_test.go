package fn

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// overlaid is an overlay over a base elsewhere in a repository, in the working directory.
func overlaid(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	write(t, ".", map[string]string{
		"base/kustomization.yaml":                "resources:\n- stack.yaml\n",
		"base/stack.yaml":                        asFunction(t, small),
		"overlays/prod/kustomization.yaml":       "namespace: prod\ngenerators:\n- stack\nresources:\n- more.yaml\n",
		"overlays/prod/more.yaml":                "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: more\n",
		"overlays/prod/stack/kustomization.yaml": "namespace: prod\nresources:\n- ../../../base\npatches:\n- path: patch.yaml\n  target: {kind: InferenceStack}\n",
		"overlays/prod/stack/patch.yaml":         "apiVersion: inferstack.dev/v1alpha1\nkind: InferenceStack\nmetadata:\n  name: llama\nspec:\n  decode:\n    replicas: 4\n",
	})
}

const prod = "overlays/prod"

// TestCommandsBuildKustomizations has each command take an overlay for what it makes.
func TestCommandsBuildKustomizations(t *testing.T) {
	overlaid(t)
	for _, tc := range []struct {
		args []string
		want string
	}{
		{[]string{"validate", prod}, "overlays/prod builds ("},
		{[]string{"validate", prod + "/stack"}, "overlays/prod/stack/kustomization.yaml: InferenceStack prod/llama is valid"},
		{[]string{"check", prod}, "0 errors"},
		{[]string{"graph", prod}, "prod/llama"},
		{[]string{"diff", prod, prod}, ""},
	} {
		got := call(t, "", tc.args...)
		if got.code != exitOK || !strings.Contains(got.out+got.errors, tc.want) {
			t.Errorf("%v: exit %d\n%s%s", tc.args, got.code, got.out, got.errors)
		}
	}
	live := strings.Replace(call(t, "", "build", prod).out, "metadata:\n", "metadata:\n  uid: a\n", 1)
	got := call(t, live, "status", "--stack", prod)
	if got.code != exitError || !strings.Contains(got.out, "prod/llama") {
		t.Errorf("status: exit %d\n%s%s", got.code, got.out, got.errors)
	}
	if got := call(t, "apiVersion: v1\nkind: List\nitems: []\n", "status", "--stack", prod); !strings.Contains(got.out, "ConfigMap prod/more") {
		t.Errorf("status does not want what the overlay adds\n%s%s", got.out, got.errors)
	}
}

// TestWhatABuildSaysIsSaid breaks an overlay: findings name its kustomization, a stack that is
// wrong after the patches fails every command, and nothing is taken for it as it stands.
func TestWhatABuildSaysIsSaid(t *testing.T) {
	overlaid(t)
	write(t, prod, map[string]string{"patch.yaml": "- op: remove\n  path: /spec/endpointPickerRef/port\n"})
	write(t, prod, map[string]string{"kustomization.yaml": "namespace: prod\ngenerators:\n- stack\npatches:\n- path: patch.yaml\n  target: {kind: InferencePool}\n"})
	if got := call(t, "", "check", prod); got.code != exitError || !strings.Contains(got.out, prod+"/kustomization.yaml: error: InferencePool prod/llama") {
		t.Errorf("exit %d\n%s%s", got.code, got.out, got.errors)
	}
	write(t, prod, map[string]string{"stack/patch.yaml": "apiVersion: inferstack.dev/v1alpha1\nkind: InferenceStack\nmetadata:\n  name: llama\nspec:\n  decode:\n    replicas: -4\n"})
	for _, args := range [][]string{{"validate", prod}, {"check", prod}, {"graph", prod}, {"diff", prod, "base"}, {"status", "--stack", prod}} {
		if got := call(t, "apiVersion: v1\nkind: List\nitems: []\n", args...); got.code == exitOK || !strings.Contains(got.errors, "spec.decode.replicas") {
			t.Errorf("%v: exit %d\n%s%s", args, got.code, got.out, got.errors)
		}
	}
}

// TestListingIsReadAsItStands has lines where a kustomization only lists files.
func TestListingIsReadAsItStands(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, ".", map[string]string{"kustomization.yaml": "resources:\n- pool.yaml\n", "pool.yaml": "apiVersion: inference.networking.k8s.io/v1\nkind: InferencePool\nmetadata: {name: p}\nspec: {}\n"})
	if got := call(t, "", "check", "."); !strings.Contains(got.out, "pool.yaml:4: error") {
		t.Errorf("exit %d\n%s%s", got.code, got.out, got.errors)
	}
}

// TestDiffBuildsRevisions compares an overlay with itself before a change to its base.
func TestDiffBuildsRevisions(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	overlaid(t)
	for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}, {"-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "-m", "a"}} {
		if out, err := exec.Command("git", args...).CombinedOutput(); err != nil {
			t.Skipf("git %v: %v %s", args, err, out)
		}
	}
	text, err := os.ReadFile("base/stack.yaml")
	if err != nil {
		t.Fatal(err)
	}
	write(t, ".", map[string]string{"base/stack.yaml": string(text) + "  scheduler: {verbosity: 3}\n"})
	same := func(name string) {
		t.Helper()
		got := call(t, "", "diff", "git:HEAD", name)
		if got.code != exitError || !strings.Contains(got.out, "prod/llama-epp") || strings.Contains(got.out, "removed") {
			t.Errorf("exit %d\n%s%s", got.code, got.out, got.errors)
		}
	}
	same(prod)
	t.Chdir("overlays")
	same("prod")
	t.Chdir("prod")
	same(".")
	if left, _ := filepath.Glob(filepath.Join(os.TempDir(), "inferstack-revision-*")); len(left) > 0 {
		t.Errorf("%v is left over", left)
	}
}

// TestKustomizationListsWhatCounts has a file beside a kustomization that it does not list, and one
// that it lists in another directory.
func TestKustomizationListsWhatCounts(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, ".", map[string]string{
		"kustomization.yaml": "resources:\n- sub/stack.yaml\n", "sub/stack.yaml": small,
		"old.yaml": strings.Replace(small, "llama", "old", 1), "template.yaml": "{{ if x }}",
	})
	for _, args := range [][]string{{"validate", "."}, {"check", "."}, {"graph", "."}, {"diff", ".", "."}} {
		if got := call(t, "", args...); got.code != exitOK || strings.Contains(got.out, "old-") {
			t.Errorf("%v: exit %d\n%s%s", args, got.code, got.out, got.errors)
		}
	}
	if got := call(t, "", "validate", "."); !strings.Contains(got.out, "sub/stack.yaml: InferenceStack inference/llama is valid") {
		t.Error(got)
	}
}

// TestFilesOfAKustomization has commands that compile files say so where a kustomization makes more
// of them, take what it makes, or leave it alone.
func TestFilesOfAKustomization(t *testing.T) {
	overlaid(t)
	for _, args := range [][]string{{"render", prod}, {"render", prod, "-o", "out"}, {"render", prod, "--check", "."}} {
		if got := call(t, "", args...); got.code != exitError || !strings.Contains(got.errors, "use inferstack build "+prod) {
			t.Errorf("%v: exit %d\n%s%s", args, got.code, got.out, got.errors)
		}
	}
	write(t, "objects", map[string]string{
		"kustomization.yaml": "resources: [o.yaml]\nreplicas: [{name: llama-decode, count: 9}]\n",
		"o.yaml":             call(t, small, "render", "-").out,
	})
	if got := call(t, "", "convert", "manifests", "objects"); !strings.Contains(got.out, "replicas: 9") {
		t.Errorf("exit %d\n%s%s", got.code, got.out, got.errors)
	}
	write(t, "out", map[string]string{"kustomization.yml": "resources: []\n"})
	if got := call(t, small, "render", "-", "-o", "out"); got.code != exitError || !strings.Contains(got.errors, "kustomization.yml is in the way") {
		t.Errorf("exit %d\n%s", got.code, got.errors)
	}
	write(t, "nothing", map[string]string{"kustomization.yaml": "resources: []\nnamespace: a\n"})
	if got := call(t, "", "validate", "nothing"); got.code == exitOK {
		t.Errorf("nothing is valid\n%s%s", got.out, got.errors)
	}
}
