package product

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/inferstack/inferstack/conformance/assets"
	"github.com/inferstack/inferstack/conformance/manifests"
)

// Example is one folder below examples/ and what the program makes of it.
type Example struct {
	// Name is the folder's path below examples/.
	Name    string
	Inputs  []string
	Objects []*unstructured.Unstructured
}

// Top reports whether the folder is one of examples/ itself. Those below show how stacks are delivered; they have the
// stacks of the others.
func (e Example) Top() bool { return !strings.Contains(e.Name, "/") }

// Kustomization reports whether kustomize can build the folder.
func (e Example) Kustomization(t testing.TB) bool {
	t.Helper()
	_, err := os.Stat(filepath.Join(filepath.Dir(e.Inputs[0]), "kustomization.yaml"))
	return err == nil
}

// Examples returns every folder with a stack, rendered.
func Examples(t testing.TB) []Example {
	t.Helper()
	root, err := repository()
	if err != nil {
		t.Fatal(err)
	}
	var list []Example
	for _, file := range stacks(t, filepath.Join(root, "examples")) {
		dir := filepath.Dir(file)
		name, err := filepath.Rel(filepath.Join(root, "examples"), dir)
		if err != nil {
			t.Fatal(err)
		}
		if name == "overlays/base" {
			// It has no namespace, which the overlays give it.
			continue
		}
		example := Example{Name: filepath.ToSlash(name), Inputs: inputs(t, dir)}
		example.Objects = manifests.Parse(t, Run(t, append([]string{"render"}, example.Inputs...)...))
		list = append(list, example)
	}
	return list
}

// stacks finds the stack.yaml files.
func stacks(t testing.TB, dir string) []string {
	t.Helper()
	var list []string
	for depth := range 6 {
		pattern := filepath.Join(dir, strings.Repeat("*/", depth), "stack.yaml")
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, found...)
	}
	if len(list) < 10 {
		t.Fatalf("only %d examples in %s", len(list), dir)
	}
	return list
}

// Overlays returns what kustomize makes of the overlays, which start the built program.
func Overlays(t testing.TB) []Example {
	t.Helper()
	root := t.TempDir()
	for _, folder := range []string{"examples", "components"} {
		Copy(t, folder, filepath.Join(root, folder))
	}
	Link(t, root)
	var list []Example
	for _, name := range []string{"dev", "prod", "renamed"} {
		cmd := exec.CommandContext(t.Context(), assets.Binary(t, "kustomize"), "build", "--enable-alpha-plugins", "--enable-exec", ".")
		cmd.Dir = filepath.Join(root, "examples", "overlays", name)
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("kustomize build %s: %v", name, err)
		}
		list = append(list, Example{Name: "overlays/" + name, Objects: manifests.Parse(t, out)})
	}
	return list
}

// Copy copies a folder of the repository.
func Copy(t testing.TB, folder, to string) {
	t.Helper()
	root, err := repository()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(to, os.DirFS(filepath.Join(root, folder))); err != nil {
		t.Fatal(err)
	}
}

// Link puts the built program where the examples expect it, in bin/.
func Link(t testing.TB, root string) {
	t.Helper()
	bin := filepath.Join(root, "bin")
	if err := os.Mkdir(bin, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(Binary(t), filepath.Join(bin, "inferstack")); err != nil {
		t.Fatal(err)
	}
}

// Objects returns the objects of all examples.
func Objects(examples []Example) []*unstructured.Unstructured {
	var all []*unstructured.Unstructured
	for _, example := range examples {
		all = append(all, example.Objects...)
	}
	return all
}

// inputs are the stacks that a folder's kustomization names as its generators, or its stack.yaml.
func inputs(t testing.TB, dir string) []string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(dir, "kustomization.yaml"))
	if os.IsNotExist(err) {
		return []string{filepath.Join(dir, "stack.yaml")}
	}
	if err != nil {
		t.Fatal(err)
	}
	var kustomization struct {
		Generators []string `json:"generators"`
	}
	if err := yaml.Unmarshal(content, &kustomization); err != nil {
		t.Fatalf("%s: %v", dir, err)
	}
	list := slices.Clone(kustomization.Generators)
	for i, name := range list {
		list[i] = filepath.Join(dir, name)
	}
	return list
}
