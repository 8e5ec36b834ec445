package fn

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
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
