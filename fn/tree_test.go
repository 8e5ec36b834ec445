package fn

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

const overlayPatch = "apiVersion: inferstack.dev/v1alpha1\nkind: InferenceStack\nmetadata:\n  name: llama\nspec:\n  decode:\n    replicas: "

// forest is a repository of overlays as an ApplicationSet has them, in the working directory: two
// clusters with one base, a component and a nested base, something of another team, and files of
// none.
func forest(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	overlay := "generators: [stack]\ncomponents: [../../components/note]\n"
	stack := "namespace: llm\nresources: [../../../bases/large]\npatches:\n- path: patch.yaml\n  target: {kind: InferenceStack}\n"
	write(t, ".", map[string]string{
		"bases/small/kustomization.yaml":       "resources: [stack.yaml]\n",
		"bases/small/stack.yaml":               asFunction(t, small),
		"bases/large/kustomization.yaml":       "resources: [../small]\npatches:\n- path: patches/large.yaml\n  target: {kind: InferenceStack}\n",
		"bases/large/patches/large.yaml":       overlayPatch + "2\n",
		"components/note/kustomization.yaml":   "kind: Component\napiVersion: kustomize.config.k8s.io/v1alpha1\ncommonAnnotations: {note: a}\n",
		"clusters/eu/Kustomization":            overlay,
		"clusters/eu/stack/kustomization.yaml": stack,
		"clusters/eu/stack/patch.yaml":         overlayPatch + "4\n",
		"clusters/us/kustomization.yml":        overlay,
		"clusters/us/stack/kustomization.yaml": stack,
		"clusters/us/stack/patch.yaml":         overlayPatch + "5\n",
		"clusters/us/notes/unlisted.yaml":      "this: [is no manifest\n",
		"teams/a/kustomization.yaml":           "resources: [cm.yaml]\nnamePrefix: a-\n",
		"teams/a/cm.yaml":                      "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: team, namespace: llm}\n",
		"apps.yaml":                            "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: loose, namespace: llm}\n",
		".hidden/kustomization.yaml":           "resources: [nothing.yaml]\n",
		"chart/Chart.yaml":                     "name: a\n",
		"chart/templates/kustomization.yaml":   "resources: {{ .Values }}\n",
	})
}

// TestTreeOfKustomizations has each command build what nobody else in the tree refers to, once.
func TestTreeOfKustomizations(t *testing.T) {
	forest(t)
	for _, tc := range []struct {
		args  []string
		code  int
		wants []string
	}{
		{[]string{"validate", "."}, exitOK, []string{"clusters/eu builds (8 objects)\nclusters/us builds (8 objects)\nteams/a builds (1 object)\n"}},
		{[]string{"validate", "clusters", "teams"}, exitOK, []string{"clusters/eu builds (8 objects)\nclusters/us builds (8 objects)\nteams/a builds (1 object)\n"}},
		{[]string{"check", "."}, exitOK, []string{"18 objects: 0 errors"}},
		{[]string{"graph", "."}, exitError, []string{"clusters/eu/Kustomization and clusters/us/kustomization.yml make the same object, "}},
		{[]string{"graph", "clusters/eu"}, exitOK, []string{"llm/llama"}},
		{[]string{"diff", ".", "."}, exitOK, []string{"no differences"}},
		{[]string{"diff", "teams", "."}, exitError, []string{"InferencePool llm/llama in clusters/eu\n", "InferencePool llm/llama in clusters/us\n", "ConfigMap llm/loose\n"}},
	} {
		got := call(t, "", tc.args...)
		for _, want := range tc.wants {
			if got.code != tc.code || !strings.Contains(got.out+got.errors, want) {
				t.Errorf("%v: exit %d, want %q in\n%s%s", tc.args, got.code, want, got.out, got.errors)
			}
		}
	}
	live := "apiVersion: v1\nkind: List\nitems: []\n"
	got := call(t, live, "status", "--stack", ".")
	for _, want := range []string{"InferencePool llm/llama", "ConfigMap llm/a-team"} {
		if strings.Count(got.out, want+" is failing") != 1 || !strings.Contains(got.out, want) {
			t.Errorf("status: want %s once in\n%s%s", want, got.out, got.errors)
		}
	}
}

// TestTreeIsComparedRootByRoot changes one of two overlays with objects of the same names.
func TestTreeIsComparedRootByRoot(t *testing.T) {
	forest(t)
	commit(t)
	write(t, ".", map[string]string{"clusters/us/stack/patch.yaml": overlayPatch + "6\n"})
	for _, args := range [][]string{{"diff", "git:HEAD", "."}, {"diff", "git:HEAD", "clusters"}, {"diff", "git:HEAD:clusters", "git:HEAD:clusters"}} {
		got := call(t, "", args...)
		where := map[string]string{".": "clusters/us", "clusters": "us"}[args[2]]
		if where == "" {
			if got.code != exitOK {
				t.Errorf("%v: exit %d\n%s%s", args, got.code, got.out, got.errors)
			}
			continue
		}
		if !strings.Contains(got.out, "Deployment llm/llama-decode in "+where+"\n    spec.replicas: 5 -> 6") || !strings.Contains(got.out, "1 object differs") {
			t.Errorf("%v: exit %d\n%s%s", args, got.code, got.out, got.errors)
		}
	}
}

// TestTreeSaysAllThatIsWrong breaks both overlays: what is wrong with each is said, and of one that
// goes in a circle.
func TestTreeSaysAllThatIsWrong(t *testing.T) {
	forest(t)
	write(t, ".", map[string]string{
		"clusters/eu/stack/patch.yaml": overlayPatch + "-1\n", "clusters/us/stack/patch.yaml": overlayPatch + "-2\n",
		"circle/a/kustomization.yaml": "resources: [../b]\n", "circle/b/kustomization.yaml": "resources: [../a]\n",
	})
	got := call(t, "", "validate", ".")
	for _, want := range []string{
		"clusters/eu/stack/patch.yaml:7:15: spec.decode.replicas: must be",
		"clusters/us/stack/patch.yaml:7:15: spec.decode.replicas: must be",
		"(InferenceStack llm/llama of bases/small/stack.yaml, patched by bases/large/patches/large.yaml, clusters/us/stack/patch.yaml)",
		"clusters/eu is not built", "clusters/us is not built", "cycle",
	} {
		if got.code == exitOK || !strings.Contains(got.errors, want) {
			t.Errorf("want %q in\n%s%s", want, got.out, got.errors)
		}
	}
}

// TestRevisionsHaveLinks compares an overlay whose base and name are behind links to directories;
// links out of the revision lead nowhere.
func TestRevisionsHaveLinks(t *testing.T) {
	forest(t)
	secret := t.TempDir()
	write(t, secret, map[string]string{"stack.yaml": small})
	for link, to := range map[string]string{"clusters/bases": "../bases", "eu": "clusters/eu", "out": secret, "clusters/up": "../../" + "elsewhere", "chain": "eu/stack"} {
		if err := os.Symlink(to, link); err != nil {
			t.Skip(err)
		}
	}
	write(t, ".", map[string]string{
		"clusters/eu/stack/kustomization.yaml": "namespace: llm\nresources: [../../bases/large]\n",
		"clusters/out/kustomization.yaml":      "resources: [../../out/stack.yaml]\n",
	})
	commit(t)
	for _, name := range []string{"clusters/eu", "eu", "chain"} {
		if got := call(t, "", "diff", "git:HEAD:"+name, name); got.code != exitOK || !strings.Contains(got.out, "no differences") {
			t.Errorf("%s: exit %d\n%s%s", name, got.code, got.out, got.errors)
		}
	}
	if got := call(t, "", "diff", "git:HEAD:clusters/out", "eu"); got.code != exitUsage || strings.Contains(got.out+got.errors, secret) {
		t.Errorf("a link leads out of the revision: exit %d\n%s%s", got.code, got.out, got.errors)
	}
}

// commit makes a repository of the working directory.
func commit(t *testing.T) {
	t.Helper()
	for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}, {"-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "-m", "a"}} {
		if out, err := exec.Command("git", args...).CombinedOutput(); err != nil {
			t.Skipf("git %v: %v %s", args, err, out)
		}
	}
}
