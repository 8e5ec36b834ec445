package fn

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/inferstack/inferstack/internal/long"
)

const goldenDir = "../testdata/golden"

// TestGolden compares what becomes of each example with testdata/golden. An example is
// a directory below examples/ with a kustomization that has generators or components;
// when it has a stack.yaml too, render and kustomize have to agree. UPDATE_GOLDEN=1
// (make golden) writes the files.
func TestGolden(t *testing.T) {
	root := copyExamples(t)
	var paired []string
	for _, dir := range exampleDirs(t, root) {
		name := strings.ReplaceAll(dir, string(filepath.Separator), "-") + ".yaml"
		paired = append(paired, name)
		t.Run(dir, func(t *testing.T) {
			long.Case(t, 6)
			compareGolden(t, name, buildExample(t, filepath.Join(root, dir)))
		})
	}
	if os.Getenv("UPDATE_GOLDEN") != "" && !t.Failed() {
		deleteUnpaired(t, paired)
	}
	entries, err := os.ReadDir(goldenDir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !slices.Contains(paired, e.Name()) {
			t.Errorf("%s/%s belongs to no example; delete it", goldenDir, e.Name())
		}
	}
}

func deleteUnpaired(t *testing.T, paired []string) {
	t.Helper()
	entries, err := os.ReadDir(goldenDir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !slices.Contains(paired, e.Name()) {
			if err := os.Remove(filepath.Join(goldenDir, e.Name())); err != nil {
				t.Error(err)
			}
		}
	}
}

func compareGolden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join(goldenDir, name)
	if os.Getenv("UPDATE_GOLDEN") != "" {
		write(t, goldenDir, map[string]string{name: got})
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v; make golden writes it", err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s is not current; make golden rewrites it:\n%s", file, diff)
	}
}

// buildExample renders an example, or builds it when it is an overlay. make test builds a part of
// those that can be rendered.
func buildExample(t *testing.T, dir string) string {
	t.Helper()
	if _, err := os.Stat(filepath.Join(dir, "stack.yaml")); err != nil {
		built, err := kustomize(t, dir)
		if err != nil {
			t.Fatal(err)
		}
		return built
	}
	rendered := call(t, "", "render", dir)
	if rendered.code != exitOK {
		t.Fatal(rendered.errors)
	}
	t.Run("kustomize", func(t *testing.T) {
		long.Case(t, 4)
		built, err := kustomize(t, dir)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(byID(objectsIn(t, rendered.out)), byID(objectsIn(t, built))); diff != "" {
			t.Errorf("render and kustomize disagree:\n%s", diff)
		}
	})
	return rendered.out
}

// byID indexes objects, since kustomize has an order of its own.
func byID(objects []map[string]any) map[string]map[string]any {
	out := map[string]map[string]any{}
	for _, o := range objects {
		meta := o["metadata"].(map[string]any)
		namespace, _ := meta["namespace"].(string)
		out[strings.Join([]string{o["apiVersion"].(string), o["kind"].(string), namespace, meta["name"].(string)}, "/")] = o
	}
	return out
}

// copyExamples puts the examples beside a bin/inferstack of today, where their
// annotations look for it, by path or by name.
func copyExamples(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	root := filepath.Join(dir, "examples")
	for _, part := range []string{"examples", "components"} {
		if err := os.CopyFS(filepath.Join(dir, part), os.DirFS(filepath.Join("..", part))); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "bin"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(binary(t), filepath.Join(dir, "bin", "inferstack")); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", filepath.Join(dir, "bin")+string(os.PathListSeparator)+os.Getenv("PATH"))
	return root
}

// exampleDirs lists the directories with a kustomization that is built by itself.
func exampleDirs(t *testing.T, root string) []string {
	t.Helper()
	var dirs []string
	err := filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Base(path) != "kustomization.yaml" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil || !strings.Contains(string(text), "generators:") && !strings.Contains(string(text), "components:") {
			return err // a base, or what a generator is built from
		}
		dir, err := filepath.Rel(root, filepath.Dir(path))
		dirs = append(dirs, dir)
		return err
	})
	if err != nil || len(dirs) == 0 {
		t.Fatal("no examples", err)
	}
	return dirs
}
