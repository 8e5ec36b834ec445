package fn

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func renderTo(t *testing.T, dir, stack string) outcome {
	t.Helper()
	return call(t, stack, "render", "-", "-o", dir)
}

func TestWriteDir(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "deploy")
	withGateway := small + "  gateway: {class: istio}\n"
	if got := renderTo(t, dir, withGateway); got.code != exitOK || got.out != "" {
		t.Fatal(got)
	}
	first := files(t, dir)
	for name, text := range first {
		if !strings.HasPrefix(text, ownHeader) {
			t.Errorf("%s does not say who wrote it", name)
		}
	}
	built, err := kustomize(t, dir)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(byID(objectsIn(t, call(t, withGateway, "render", "-").out)), byID(objectsIn(t, built))); diff != "" {
		t.Error(diff)
	}

	before, _ := os.Stat(filepath.Join(dir, "kustomization.yaml"))
	write(t, dir, map[string]string{"mine.yaml": foreign, "README.md": "mine"})
	if got := renderTo(t, dir, withGateway); got.code != exitOK {
		t.Fatal(got.errors)
	}
	if after, _ := os.Stat(filepath.Join(dir, "kustomization.yaml")); !after.ModTime().Equal(before.ModTime()) {
		t.Error("a file that needs no change is written")
	}

	if got := renderTo(t, dir, small); got.code != exitOK {
		t.Fatal(got.errors)
	}
	second := files(t, dir)
	if second["gateway_llama-gateway.yaml"] != "" || second["mine.yaml"] != foreign || second["README.md"] != "mine" {
		t.Errorf("left over or lost: %v", second)
	}
	if strings.Contains(second["kustomization.yaml"], "mine.yaml") || strings.Contains(second["kustomization.yaml"], "gateway") {
		t.Error(second["kustomization.yaml"])
	}
}

func TestWriteDirOrNothing(t *testing.T) {
	for name, c := range map[string]struct {
		prepare func(dir string) error
		says    string
	}{
		"a kustomization of a person": {func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "kustomization.yaml"), []byte("resources: []\n"), 0o600)
		}, "kustomization.yaml is in the way: inferstack did not write it; nothing was written"},
		"a directory in the way": {func(dir string) error {
			return os.Mkdir(filepath.Join(dir, "deployment_llama-decode.yaml"), 0o755)
		}, "deployment_llama-decode.yaml is in the way: it is not a regular file; nothing was written"},
		"a link that leads out": {func(dir string) error {
			return os.Symlink(filepath.Join(dir, "..", "victim"), filepath.Join(dir, "deployment_llama-decode.yaml"))
		}, "is not a regular file; nothing was written"},
	} {
		t.Run(name, func(t *testing.T) {
			parent := t.TempDir()
			dir := filepath.Join(parent, "deploy")
			write(t, parent, map[string]string{"victim": ownHeader, "deploy/mine.yaml": foreign})
			if err := c.prepare(dir); err != nil {
				t.Fatal(err)
			}
			before := files(t, parent)
			got := renderTo(t, dir, small)
			if got.code != exitError || !strings.Contains(got.errors, c.says) {
				t.Errorf("exit %d: %s", got.code, got.errors)
			}
			if diff := cmp.Diff(before, files(t, parent)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestWriteDirNothingOnABadStack(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "deploy")
	if got := renderTo(t, dir, strings.Replace(small, "model:", "modle:", 1)); got.code != exitError {
		t.Fatal(got)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("the directory is there")
	}
}

// TestTransactionUndoes breaks every rename in turn.
func TestTransactionUndoes(t *testing.T) {
	for broken := range 5 {
		dir := t.TempDir()
		write(t, dir, map[string]string{"a": "old a", "b": "old b", "stale": "old", "stage/a": "new a", "stage/b": "new b"})
		root, err := os.OpenRoot(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer root.Close()
		step := 0
		rename := func(from, to string) error {
			if step++; step == broken+1 {
				return errors.New("broken")
			}
			return root.Rename(from, to)
		}
		before := files(t, dir)
		tx := &transaction{rename: rename, stage: "stage"}
		tx.replace(root, "a")
		tx.replace(root, "b")
		tx.move("stale", "stage/old-stale")
		if err := tx.finish(); err == nil || err.Error() != "broken" {
			t.Errorf("step %d: %v", broken, err)
		}
		if diff := cmp.Diff(before, files(t, dir)); diff != "" {
			t.Errorf("step %d:\n%s", broken, diff)
		}
	}
}

// TestWriteDirIsNoLink refuses a directory that is somewhere else than its name says.
func TestWriteDirIsNoLink(t *testing.T) {
	parent := t.TempDir()
	write(t, parent, map[string]string{"real/mine.yaml": foreign})
	for link, to := range map[string]string{"link": "real", "dangling": "nowhere"} {
		if err := os.Symlink(to, filepath.Join(parent, link)); err != nil {
			t.Skip(err)
		}
		for _, name := range []string{link, link + string(filepath.Separator)} {
			got := call(t, small, "render", "-", "-o", parent+string(filepath.Separator)+name)
			if got.code != exitError || !strings.Contains(got.errors, "is a symbolic link") {
				t.Errorf("%s: exit %d: %s", name, got.code, got.errors)
			}
		}
	}
	if got := files(t, filepath.Join(parent, "real")); len(got) != 1 {
		t.Error(got)
	}
	if _, err := os.Stat(filepath.Join(parent, "nowhere")); err == nil {
		t.Error("written through a dangling link")
	}
}
