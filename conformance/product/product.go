// Package product runs the built inferstack over the repository's examples.
package product

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/inferstack/inferstack/conformance/assets"
	"github.com/inferstack/inferstack/conformance/manifests"
)

// Example is one folder of examples/ and what the program makes of it.
type Example struct {
	Name    string
	Inputs  []string
	Objects []*unstructured.Unstructured
}

var build = sync.OnceValues(func() (string, error) {
	root, err := repository()
	if err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp("", "inferstack")
	if err != nil {
		return "", err
	}
	binary := filepath.Join(dir, "inferstack")
	cmd := exec.Command("go", "build", "-o", binary, "./fn")
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	return binary, cmd.Run()
})

// Binary returns the path of the program, built from the tree that this module is part of.
func Binary(t testing.TB) string {
	t.Helper()
	binary, err := build()
	if err != nil {
		t.Fatalf("build inferstack: %v", err)
	}
	return binary
}

// Examples returns every example, rendered.
func Examples(t testing.TB) []Example {
	t.Helper()
	root, err := repository()
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(root, "examples", "*", "kustomization.yaml"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no examples in %s (%v)", root, err)
	}
	var list []Example
	for _, file := range files {
		example := Example{Name: filepath.Base(filepath.Dir(file)), Inputs: inputs(t, file)}
		example.Objects = manifests.Parse(t, Run(t, append([]string{"render"}, example.Inputs...)...))
		list = append(list, example)
	}
	return list
}

// Objects returns the objects of all examples.
func Objects(examples []Example) []*unstructured.Unstructured {
	var all []*unstructured.Unstructured
	for _, example := range examples {
		all = append(all, example.Objects...)
	}
	return all
}

// inputs are the stacks that a kustomization names as its generators.
func inputs(t testing.TB, file string) []string {
	t.Helper()
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var kustomization struct {
		Generators []string `json:"generators"`
	}
	if err := yaml.Unmarshal(content, &kustomization); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	list := slices.Clone(kustomization.Generators)
	for i, name := range list {
		list[i] = filepath.Join(filepath.Dir(file), name)
	}
	return list
}

// Run runs the program and returns what it printed. A run that fails ends the test.
func Run(t testing.TB, args ...string) []byte {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), Binary(t), args...)
	var out, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("inferstack %v: %v\n%s", args, err, stderr.String())
	}
	return out.Bytes()
}

func repository() (string, error) {
	root, err := assets.Root()
	return filepath.Dir(root), err
}
