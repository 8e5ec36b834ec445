package fn

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/inferstack/inferstack/internal/long"
)

// kpt runs kpt, or skips the test.
func kpt(t *testing.T, dir string, args ...string) (string, error) {
	t.Helper()
	program, err := exec.LookPath("kpt")
	if err != nil {
		t.Skip("kpt is not here: what it makes of the function is not tested")
	}
	cmd := exec.Command(program, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// files reads a directory.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		out[filepath.ToSlash(name)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func kptfile(exec string) string {
	return "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: pkg\npipeline:\n  mutators:\n  - exec: " + exec + "\n"
}

// odd is a file that no tool would have written.
const odd = `# Head of the file

# Second head
apiVersion: v1
kind: ConfigMap
metadata: # trailing
  name: theirs
# between
data:
  # before a
  a: "1"   # after a
  list: [a,   b]

# foot
---
# another document
apiVersion: v1
kind: Secret
metadata:
    name: wide
stringData:
    l: 'x'
    # last
`

func TestKptRender(t *testing.T) {
	mine, theirs := t.TempDir(), t.TempDir()
	stack := "# what we serve\n" + strings.Replace(small, "  name: llama\n", "  name: llama # short\n", 1) + "  gateway: {class: istio} # way in\n"
	write(t, mine, map[string]string{"Kptfile": kptfile(binary(t)), "app/stack.yaml": stack, "odd.yaml": odd})
	write(t, theirs, map[string]string{"Kptfile": kptfile("cat"), "app/stack.yaml": stack, "odd.yaml": odd})
	for _, dir := range []string{mine, theirs} {
		if out, err := kpt(t, dir, "fn", "render", "--allow-exec"); err != nil {
			t.Fatal(out)
		}
	}
	first, noop := files(t, mine), files(t, theirs)
	if first["odd.yaml"] != noop["odd.yaml"] {
		t.Errorf("a file of somebody else is not what a function that does nothing leaves:\n%s", cmp.Diff(noop["odd.yaml"], first["odd.yaml"]))
	}
	for _, want := range []string{"# what we serve", "name: llama # short", "# way in", "config.kubernetes.io/local-config: 'true'"} {
		if !strings.Contains(first["app/stack.yaml"], want) {
			t.Errorf("%q is not in the stack file:\n%s", want, first["app/stack.yaml"])
		}
	}
	if first["app/generated/llama/gateway_llama-gateway.yaml"] == "" {
		t.Errorf("files are %v", first)
	}
	if out, err := kpt(t, mine, "fn", "render", "--allow-exec"); err != nil {
		t.Fatal(out)
	}
	if diff := cmp.Diff(first, files(t, mine)); diff != "" {
		t.Errorf("the second run changes something:\n%s", diff)
	}

	write(t, mine, map[string]string{"app/stack.yaml": strings.Replace(first["app/stack.yaml"], "gateway: {class: istio} # way in\n", "decode: {replicas: 5}\n", 1)})
	out, err := kpt(t, mine, "fn", "render", "--allow-exec")
	if err != nil {
		t.Fatal(out)
	}
	third := files(t, mine)
	if third["app/generated/llama/gateway_llama-gateway.yaml"] != "" {
		t.Error("the Gateway's file is left")
	}
	if !strings.Contains(third["app/generated/llama/deployment_llama-decode.yaml"], "replicas: 5") {
		t.Error("the Deployment is not replaced")
	}
	if !strings.Contains(out, "[info]") || !strings.Contains(out, `removed Gateway "llama-gateway"`) {
		t.Errorf("kpt says nothing of what was removed:\n%s", out)
	}
}

func TestKptRenderNamesTheFileAndLeavesItOnErrors(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"Kptfile": kptfile(binary(t)), "app/stack.yaml": small + "  gatway: {class: istio}\n", "odd.yaml": odd})
	before := files(t, dir)
	out, err := kpt(t, dir, "fn", "render", "--allow-exec")
	if err == nil {
		t.Fatal("kpt succeeds on a stack with an error")
	}
	if want := `app/stack.yaml:9:3: spec.gatway: unknown field; did you mean "gateway"?`; !strings.Contains(out, want) {
		t.Errorf("%q is not in\n%s", want, out)
	}
	after := files(t, dir)
	delete(after, "Kptfile") // later versions note a condition in it
	delete(before, "Kptfile")
	if diff := cmp.Diff(before, after); diff != "" {
		t.Error(diff)
	}
}

func TestKptRenderTwoSteps(t *testing.T) {
	long.Skip(t)
	dir := t.TempDir()
	write(t, dir, map[string]string{
		"Kptfile": kptfile(binary(t)+"\n    configPath: a.yaml") + "  - exec: " + binary(t) + "\n    configPath: b.yaml\n",
		"a.yaml":  small,
		"b.yaml":  strings.ReplaceAll(small, "name: llama", "name: qwen"),
	})
	for range 2 {
		if out, err := kpt(t, dir, "fn", "render", "--allow-exec"); err != nil {
			t.Fatal(out)
		}
	}
	got := files(t, dir)
	if got["generated/llama/deployment_llama-decode.yaml"] == "" || got["generated/qwen/deployment_qwen-decode.yaml"] == "" {
		t.Errorf("one stack's objects are gone: %d files", len(got))
	}
	for _, file := range []string{"a.yaml", "b.yaml"} {
		if !strings.Contains(got[file], localConfig) {
			t.Errorf("%s is not marked local", file)
		}
	}
}

func TestKptRenderSubpackage(t *testing.T) {
	long.Skip(t)
	dir := t.TempDir()
	write(t, dir, map[string]string{
		"Kptfile":     kptfile("cat"),
		"top.yaml":    odd,
		"sub/Kptfile": kptfile(binary(t)), "sub/stack.yaml": small,
	})
	for range 2 {
		if out, err := kpt(t, dir, "fn", "render", "--allow-exec"); err != nil {
			t.Fatal(out)
		}
	}
	if got := files(t, dir); got["sub/generated/llama/deployment_llama-decode.yaml"] == "" {
		t.Errorf("files are %v", got)
	}
}

func TestKptEval(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"pkg/odd.yaml": odd, "fn.yaml": small})
	for range 2 {
		if out, err := kpt(t, dir, "fn", "eval", "pkg", "--exec", binary(t), "--fn-config", "fn.yaml"); err != nil {
			t.Fatal(out)
		}
	}
	got := files(t, filepath.Join(dir, "pkg"))
	count := 0
	for name := range got {
		if strings.HasPrefix(name, "generated/llama/") {
			count++
		}
	}
	rendered := objectsIn(t, call(t, "", "render", filepath.Join(dir, "fn.yaml")).out)
	if count != len(rendered) {
		t.Errorf("%d files for %d objects: %v", count, len(rendered), names(listing{Items: rendered}))
	}
	if out, err := kpt(t, dir, "fn", "eval", "pkg", "--exec", binary(t), "--", "model=x"); err == nil || !strings.Contains(out, "a ConfigMap cannot hold settings") {
		t.Errorf("settings on kpt's command line are ignored:\n%s", out)
	}
}

func TestKptExample(t *testing.T) {
	long.Skip(t)
	root := copyExamples(t)
	for range 2 {
		if out, err := kpt(t, filepath.Dir(root), "fn", "render", "--allow-exec", "examples/kpt-package"); err != nil {
			t.Fatal(out)
		}
	}
	got := files(t, filepath.Join(root, "kpt-package"))
	var text bytes.Buffer
	for name, file := range got {
		if strings.HasPrefix(name, "generated/") {
			text.WriteString("---\n" + file)
		}
	}
	objects := objectsIn(t, text.String())
	for _, o := range objects {
		meta := o["metadata"].(map[string]any)
		annotations := annotationsOf(o)
		if annotations[generatedBy] != "InferenceStack/llm-d/llama" {
			t.Errorf("%v has no note of its maker", o["kind"])
		}
		if delete(annotations, generatedBy); len(annotations) == 0 {
			delete(meta, "annotations")
		}
	}
	stack := call(t, "", "render", filepath.Join(root, "kpt-package", "stack.yaml"))
	if diff := cmp.Diff(byID(objectsIn(t, stack.out)), byID(objects)); diff != "" {
		t.Errorf("kpt and render disagree:\n%s", diff)
	}
}
