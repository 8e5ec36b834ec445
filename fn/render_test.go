package fn

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/inferstack/inferstack/internal/long"
)

func TestRenderRoads(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"stack.yaml": small, "other.yaml": foreign, "chart.yaml": "{{ not YAML }}\n", "notes.txt": "x"})
	want := call(t, small, "render", "-")
	if want.code != exitOK || want.errors != "" {
		t.Fatal(want.errors)
	}
	for name, got := range map[string]outcome{
		"no name":   call(t, small, "render"),
		"file":      call(t, "", "render", filepath.Join(dir, "stack.yaml")),
		"directory": call(t, "", "render", dir),
		"list":      call(t, "apiVersion: v1\nkind: List\nitems:\n-"+indent(small, "  ")[1:], "render", "-"),
		"CRLF":      call(t, strings.ReplaceAll(small, "\n", "\r\n"), "render", "-"),
		"BOM":       call(t, "\ufeff"+small, "render", "-"),
		"after":     call(t, foreign+"---\n"+small, "render", "-"),
		"-o yaml":   call(t, small, "render", "-o", "yaml"),
	} {
		if got.code != exitOK || got.out != want.out {
			t.Errorf("%s: exit %d %s:\n%s", name, got.code, got.errors, cmp.Diff(want.out, got.out))
		}
	}
}

func TestRenderJSONIsTheSame(t *testing.T) {
	for i, example := range examples(t) {
		if !long.Part(i, 4) {
			continue
		}
		text, list := call(t, "", "render", example), call(t, "", "render", example, "--output", "json")
		var got struct{ Items []map[string]any }
		if err := json.Unmarshal([]byte(list.out), &got); err != nil {
			t.Fatal(err)
		}
		a, _ := json.Marshal(objectsIn(t, text.out))
		b, _ := json.Marshal(got.Items)
		if string(a) != string(b) {
			t.Errorf("%s: %s", example, cmp.Diff(string(a), string(b)))
		}
	}
}

func TestExitCodes(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"good.yaml": small, "bad.yaml": strings.Replace(small, "model:", "modle:", 1), "foreign.yaml": foreign})
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, c := range []struct {
		args  []string
		stdin string
		code  int
		says  string
	}{
		{args: []string{"render", at("good.yaml")}},
		{args: []string{"validate", at("good.yaml")}},
		{args: []string{"version"}},
		{args: []string{"--version"}},
		{args: []string{"version", "-o", "json"}},
		{args: []string{"version", "-o", "yaml"}},
		{args: []string{"schema"}},
		{args: []string{"schema", "--format", "crd"}},
		{args: []string{"schema", "-o", "cue"}},
		{args: []string{"schema", "--output", "markdown"}},
		{args: []string{"schema", "-o", "openapi"}},
		{args: []string{"schema", "--partial"}},
		{args: []string{"--help"}},
		{args: []string{"render", "--help"}},
		{args: []string{"completion", "bash"}},
		{args: []string{"render", at("bad.yaml")}, code: exitError, says: `bad.yaml:7:3: spec.modle: unknown field; did you mean "model"?`},
		{args: []string{"validate", at("bad.yaml")}, code: exitError, says: "bad.yaml:7:3: spec.modle"},
		{args: []string{"render", at("none.yaml")}, code: exitError, says: "none.yaml: no such file"},
		{args: []string{"render", at("foreign.yaml")}, code: exitError, says: "found in"},
		{args: []string{"render", "-"}, code: exitError, says: "found in standard input"},
		{args: []string{"rendr"}, code: exitUsage, says: `unknown command "rendr"`},
		{args: []string{"render", "--frmat"}, code: exitUsage, says: "unknown flag: --frmat"},
		{args: []string{"schema", "--partial", "-o", "crd"}, code: exitUsage, says: "--partial goes with --output json-schema"},
		{args: []string{"schema", "-o", "xml"}, code: exitUsage, says: `(got "xml")`},
		{args: []string{"version", "-o", "xml"}, code: exitUsage, says: `(got "xml")`},
		{args: []string{"version", "extra"}, code: exitUsage, says: "unknown command"},
		{stdin: "", code: exitUsage, says: "no ResourceList on standard input"},
		{stdin: foreign, code: exitUsage, says: "no ResourceList on standard input"},
	} {
		got := call(t, c.stdin, c.args...)
		if got.code != c.code || !strings.Contains(got.errors, c.says) {
			t.Errorf("%v: exit %d, says %q", c.args, got.code, got.errors)
		}
		if c.code == exitOK && (got.out == "" || got.errors != "") || c.code != exitOK && got.out != "" {
			t.Errorf("%v: %d bytes on standard output, says %q", c.args, len(got.out), got.errors)
		}
	}
}

// TestClosedOutput proves that output which nobody has read is not a success.
func TestClosedOutput(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"stack.yaml": small})
	for _, args := range [][]string{{"render", filepath.Join(dir, "stack.yaml")}, {"schema"}, {"version"}, {"validate", filepath.Join(dir, "stack.yaml")}} {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		r.Close()
		cmd := exec.Command(binary(t), args...)
		cmd.Stdout = w
		if err := cmd.Run(); err == nil {
			t.Errorf("%v: exit 0 on a closed pipe", args)
		}
		w.Close()
	}
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("no /dev/full here")
	}
	defer full.Close()
	cmd := exec.Command(binary(t), "render", filepath.Join(dir, "stack.yaml"))
	cmd.Stdout = full
	if err := cmd.Run(); err == nil {
		t.Error("exit 0 on a full disk")
	}
}

// TestArgoPlugin runs the program as a config management plugin is run: in a copy of
// the application's directory, with Argo CD's environment.
func TestArgoPlugin(t *testing.T) {
	for _, example := range examples(t) {
		dir := filepath.Join(t.TempDir(), "app")
		if err := os.CopyFS(dir, os.DirFS(example)); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(binary(t), "render", ".")
		cmd.Dir = dir
		cmd.Env = []string{"ARGOCD_APP_NAME=app", "ARGOCD_ENV_X=1", "PATH=/nowhere"}
		var errs strings.Builder
		cmd.Stderr = &errs
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%v %s", err, errs.String())
		}
		if want := call(t, "", "render", example).out; string(out) != want {
			t.Errorf("%s: %s", example, cmp.Diff(want, string(out)))
		}
		for _, o := range objectsIn(t, string(out)) {
			for key := range annotationsOf(o) {
				if strings.Contains(key, "config.kubernetes.io") || key == generatedBy {
					t.Errorf("%v carries %s", o["kind"], key)
				}
			}
			if o["kind"] == "List" || o["metadata"].(map[string]any)["generateName"] != nil {
				t.Errorf("Argo CD cannot take %v", o)
			}
		}
	}
}

func TestOutputIdentitiesAreUnique(t *testing.T) {
	for _, example := range examples(t) {
		objects := objectsIn(t, call(t, "", "render", example).out)
		if got := len(byID(objects)); got != len(objects) {
			t.Errorf("%s: %d identities of %d objects", example, got, len(objects))
		}
	}
}
