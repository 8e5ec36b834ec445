package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/inferstack/inferstack/release"
)

// TestCurrent proves that what is checked in is what the YAML files say.
func TestCurrent(t *testing.T) {
	root := filepath.Join("..", "..")
	want, err := generate(root)
	if err != nil {
		t.Fatal(err)
	}
	have := map[string][]byte{}
	folder := os.DirFS(filepath.Join(root, compiled))
	paths, _ := fs.Glob(folder, "*.json")
	more, _ := fs.Glob(folder, "*/*.json")
	for _, path := range append(paths, more...) {
		if have[path], err = fs.ReadFile(folder, path); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(want, have); diff != "" || len(want) == 0 {
		t.Errorf("%s is not current, run make generate: (-want +have)\n%s", compiled, diff)
	}
}

func TestUnknownField(t *testing.T) {
	if _, err := compile[release.Line]([]byte("imagez: {}")); err == nil {
		t.Error("no error")
	}
}

// TestRun writes what there is, and clears away what there was.
func TestRun(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{"release/lines/9.9.yaml", "release/compiled/1.0.json"} {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("images: {epp: e}"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := run(root); err != nil {
		t.Fatal(err)
	}
	paths, _ := filepath.Glob(filepath.Join(root, compiled, "*"))
	if len(paths) != 1 || filepath.Base(paths[0]) != "9.9.json" {
		t.Error(paths)
	}
}
