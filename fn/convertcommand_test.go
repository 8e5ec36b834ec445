package fn

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const scheduler = "apiVersion: llm.llm-d.io/v1alpha1\nkind: InferenceScheduler\nmetadata:\n  name: llama\nspec:\n  modelServer:\n    modelName: org/model\n    hfTokenSecretName: token\n"

// TestConvertInputs names files, a directory and standard input, and a file to write.
func TestConvertInputs(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"a/sim.yaml": simulator, "a/notes.txt": "no YAML: [", "b.yaml": scheduler, "c.json": `{"apiVersion": "v1", "kind": "Secret"}`})
	sim, b := filepath.Join(dir, "a"), filepath.Join(dir, "b.yaml")
	for name, tc := range map[string]struct {
		stdin string
		args  []string
		want  []string
	}{
		"files":                   {"", []string{filepath.Join(sim, "sim.yaml"), b}, []string{"name: sim", "name: llama"}},
		"a directory and a file":  {"", []string{sim, b}, []string{"name: sim", "name: llama"}},
		"standard input":          {scheduler, []string{"-"}, []string{"name: llama"}},
		"no name":                 {scheduler, nil, []string{"name: llama"}},
		"standard input and more": {scheduler, []string{sim, "-"}, []string{"name: sim", "name: llama"}},
	} {
		t.Run(name, func(t *testing.T) {
			got := call(t, tc.stdin, append([]string{"convert"}, tc.args...)...)
			if got.code != exitOK || strings.Count(got.out, "kind: InferenceStack") != len(tc.want) {
				t.Fatalf("%d\n%s%s", got.code, got.out, got.errors)
			}
			for _, want := range tc.want {
				if !strings.Contains(got.out, want) {
					t.Errorf("no %q in\n%s", want, got.out)
				}
			}
		})
	}
	file := filepath.Join(dir, "stack.yaml")
	got := call(t, "", "convert", b, "-o", file)
	if text, err := os.ReadFile(file); err != nil || got.code != exitOK || got.out != "" || !strings.Contains(string(text), "name: llama") {
		t.Errorf("%d %v %q %s", got.code, err, got.out, text)
	}
}

// TestConvertErrors has a mistake of each kind in several files: all are reported at once,
// with their places, and nothing is printed or written.
func TestConvertErrors(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{
		"misspelt.yaml": misspelt,
		"refused.yaml":  strings.Replace(scheduler, "    modelName", "    type: tgi\n    modelName", 1),
		"invalid.yaml":  strings.Replace(scheduler, "name: llama", "name: other", 1) + "  gateway:\n    className: nginx\n",
	})
	file := filepath.Join(dir, "stack.yaml")
	got := call(t, "", "convert", dir, "-o", file)
	if _, err := os.Stat(file); got.code != exitError || got.out != "" || err == nil {
		t.Errorf("%d %q %v", got.code, got.out, err)
	}
	for _, want := range []string{"misspelt.yaml:6:3: spec.replica: unknown field", "refused.yaml:7:11: spec.modelServer.type: no servers", "invalid.yaml:10:16: spec.gateway.className: must be one of"} {
		if !strings.Contains(got.errors, filepath.Join(dir, want)) {
			t.Errorf("no %q in\n%s", want, got.errors)
		}
	}
	missing := call(t, "", "convert", filepath.Join(dir, "none.yaml"))
	if missing.code != exitError || !strings.Contains(missing.errors, "none.yaml: no such file") {
		t.Errorf("%d %q", missing.code, missing.errors)
	}
}
