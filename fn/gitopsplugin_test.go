package fn

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/inferstack/inferstack/internal/long"
)

// A cmpPlugin is what is tested of a ConfigManagementPlugin.
type cmpPlugin struct {
	Spec struct {
		Discover   struct{ Find cmpCommand }
		Parameters struct {
			Static  []struct{ Name string }
			Dynamic cmpCommand
		}
		Generate cmpCommand
	}
}

type cmpCommand struct{ Command, Args []string }

// run runs a command as Argo CD's plugin server does (v3.1.0 cmpserver/plugin/plugin.go).
func (c cmpCommand) run(t *testing.T, dir string, params ...string) (out, said string, err error) {
	t.Helper()
	cmd := exec.Command(c.Command[0], slices.Concat(c.Command[1:], c.Args)...)
	cmd.Dir = dir
	cmd.Env = append(append(os.Environ(), "PATH="+filepath.Dir(binary(t))+string(os.PathListSeparator)+os.Getenv("PATH")), params...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err = cmd.Run()
	return stdout.String(), stderr.String(), err
}

func plugin(t *testing.T) cmpPlugin {
	t.Helper()
	var p cmpPlugin
	readYAML(t, filepath.Join(gitops, "argocd-plugin/install/plugin.yaml"), &p)
	return p
}

// TestArgoCDPluginCommand does what Argo CD's plugin server does: look for the files of
// spec.discover, and run spec.generate in that directory.
func TestArgoCDPluginCommand(t *testing.T) {
	p := plugin(t)
	dir := filepath.Join(gitops, "argocd-plugin")
	for where, want := range map[string]bool{dir: true, filepath.Join(gitops, "flux/cluster"): false} {
		if found, said, err := p.Spec.Discover.Find.run(t, where); err != nil || said != "" || (found != "") != want {
			t.Errorf("%s: discovery finds %q %s %v", where, found, said, err)
		}
	}
	out, said, err := p.Spec.Generate.run(t, dir)
	if err != nil || said != "" {
		t.Fatal(err, said)
	}
	want := call(t, "", "render", filepath.Join(dir, "stack.yaml"))
	if diff := cmp.Diff(want.out, out); diff != "" {
		t.Error(diff)
	}
	checkWaves(t, objectsIn(t, out))
}

// TestArgoCDPluginBuilds has the sidecar take overlays, find them, and leave others alone.
func TestArgoCDPluginBuilds(t *testing.T) {
	p := plugin(t)
	root := copyExamples(t)
	others := t.TempDir()
	write(t, others, map[string]string{"kustomization.yaml": "resources:\n- a.yaml\n- https://example.com/inferstack.dev\n", "a.yaml": "apiVersion: v1\nkind: ConfigMap\n"})
	for where, want := range map[string]bool{
		filepath.Join(root, "overlays/prod"): true, filepath.Join(root, "overlays/prod/stack"): true, filepath.Join(root, "overlays/base"): true, others: false,
	} {
		if want && !long.All() && filepath.Base(where) != "prod" {
			continue
		}
		found, said, err := p.Spec.Discover.Find.run(t, where)
		if err != nil || said != "" || (found != "") != want {
			t.Errorf("%s: discovery finds %q %s %v", where, found, said, err)
		}
		if !want {
			continue
		}
		out, said, err := p.Spec.Generate.run(t, where, "PARAM_PLATFORM_KUBERNETES=1.34")
		if built := call(t, "", "build", where); err != nil || out != built.out {
			t.Errorf("%s: %v %s\n%s", where, err, said, cmp.Diff(built.out, out))
		}
		if _, said, err := p.Spec.Generate.run(t, where, "PARAM_LOSSY=true"); err == nil || !strings.Contains(said, "lossy has no effect on a kustomization") {
			t.Errorf("%s: %v %s", where, err, said)
		}
	}
}

// twoStacks are in one directory; an Application chooses.
func twoStacks(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	write(t, dir, map[string]string{"prod.stack.yaml": small, "test \"1\" stack.yaml": strings.Replace(small, "llama", "test", 1), "README.md": "x"})
	return dir
}

func TestArgoCDPluginAnnounces(t *testing.T) {
	p := plugin(t)
	out, _, err := p.Spec.Parameters.Dynamic.run(t, twoStacks(t))
	if err != nil {
		t.Fatal(err)
	}
	var announced []struct {
		Name, Title, Tooltip, CollectionType string
		Array                                []string
	}
	if err := json.Unmarshal([]byte(out), &announced); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if diff := cmp.Diff([]string{"prod.stack.yaml", `test "1" stack.yaml`}, announced[0].Array); diff != "" || announced[0].Name != "files" || announced[0].CollectionType != "array" {
		t.Errorf("%+v %s", announced, diff)
	}
	readme := readText(t, filepath.Join(gitops, "argocd-plugin/README.md"))
	for _, s := range append(p.Spec.Parameters.Static, struct{ Name string }{announced[0].Name}) {
		if !strings.Contains(readme, "| `"+s.Name+"` |") {
			t.Errorf("the README says nothing of the parameter %s", s.Name)
		}
	}
}

func TestArgoCDPluginParameters(t *testing.T) {
	p, dir := plugin(t), twoStacks(t)
	both := call(t, "", "render", dir).out
	one := call(t, "", "render", filepath.Join(dir, `test "1" stack.yaml`)).out
	for _, tt := range []struct {
		name   string
		params []string
		out    string
		said   string // of one that fails
	}{
		{name: "none", out: both},
		{name: "one file", params: []string{`PARAM_FILES_0=test "1" stack.yaml`}, out: one},
		{name: "two files", params: []string{"PARAM_FILES_0=prod.stack.yaml", `PARAM_FILES_1=test "1" stack.yaml`}, out: both},
		{name: "a platform that serves it", params: []string{"PARAM_PLATFORM_KUBERNETES=1.34", "PARAM_PLATFORM_GATEWAY_API=1.4"}, out: both},
		{name: "a platform that does not", params: []string{"PARAM_PLATFORM_INFERENCE_EXTENSION=0.5"}, said: "[api-version-unserved]"},
		{name: "an unknown platform", params: []string{"PARAM_PLATFORM_LINKERD=1"}, said: "linkerd"},
		{name: "lossy", params: []string{"PARAM_LOSSY=true"}, out: both},
		{name: "lossy misspelt", params: []string{"PARAM_LOSSY=yes"}, said: "lossy is true or false, not yes"},
		{name: "misspelt", params: []string{"PARAM_FILE=prod.stack.yaml"}, said: "unknown parameters: PARAM_FILE"},
		{name: "outside", params: []string{"PARAM_FILES_0=a/../../b"}, said: "files: a/../../b is outside"},
		{name: "absolute", params: []string{"PARAM_FILES_0=/etc/passwd"}, said: "outside"},
		{name: "no flag", params: []string{"PARAM_FILES_0=--output=x"}, said: "--output=x: no such file"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			out, said, err := p.Spec.Generate.run(t, dir, tt.params...)
			if (err != nil) != (tt.said != "") || !strings.Contains(said, tt.said) {
				t.Errorf("%v: %s", err, said)
			}
			if diff := cmp.Diff(tt.out, out); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// checkWaves compares the waves with the table in the README.
func checkWaves(t *testing.T, objects []map[string]any) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(gitops, "argocd-plugin/README.md"))
	if err != nil {
		t.Fatal(err)
	}
	row := map[string]string{}
	for line := range strings.SplitSeq(string(text), "\n") {
		if cells := strings.Split(line, "|"); len(cells) == 4 {
			row[strings.TrimSpace(cells[1])] = cells[2]
		}
	}
	waves := map[string]bool{}
	for _, o := range objects {
		meta := o["metadata"].(map[string]any)
		wave, _ := meta["annotations"].(map[string]any)["argocd.argoproj.io/sync-wave"].(string)
		waves[wave] = true
		if kind := o["kind"].(string); (wave == "-2" || kind == "Gateway") && !strings.Contains(row[wave], kind) {
			t.Errorf("%s is in wave %s, and the README says %q", kind, wave, row[wave])
		}
	}
	if diff := cmp.Diff([]string{"-1", "-2", "0", "1"}, slices.Sorted(maps.Keys(waves))); diff != "" {
		t.Error(diff)
	}
}
