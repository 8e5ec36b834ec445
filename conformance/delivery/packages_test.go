package delivery

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/inferstack/inferstack/conformance/assets"
	"github.com/inferstack/inferstack/conformance/manifests"
	"github.com/inferstack/inferstack/conformance/product"
)

// TestKustomize builds every example's folder with kustomize's own program, which starts the built inferstack.
func TestKustomize(t *testing.T) {
	for _, example := range product.Examples(t) {
		if !example.Kustomization(t) {
			continue
		}
		t.Run(example.Name, func(t *testing.T) {
			dir := checkout(t, example.Name)
			out := run(t, dir, assets.Binary(t, "kustomize"), "build", "--enable-alpha-plugins", "--enable-exec", ".")
			same(t, example.Objects, manifests.Parse(t, out))
			row(t, example, "kustomize")
		})
	}
}

// TestKpt renders every example as a kpt package, in place. kpt comes with the machine: without it the proof fails.
func TestKpt(t *testing.T) {
	kpt, err := exec.LookPath("kpt")
	if err != nil {
		t.Fatalf("kpt is missing: %v", err)
	}
	version := strings.TrimSpace(string(run(t, t.TempDir(), kpt, "version")))
	for _, example := range product.Examples(t) {
		if !example.Top() {
			continue
		}
		t.Run(example.Name, func(t *testing.T) {
			dir := checkout(t, example.Name)
			kptfile := "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: " + example.Name + "\npipeline:\n  mutators:\n  - exec: " + product.Binary(t) + "\n"
			if err := os.WriteFile(filepath.Join(dir, "Kptfile"), []byte(kptfile), 0o600); err != nil {
				t.Fatal(err)
			}
			// What kustomize alone reads is not a part of the package.
			if err := os.Remove(filepath.Join(dir, "kustomization.yaml")); err != nil && example.Kustomization(t) {
				t.Fatal(err)
			}
			run(t, dir, kpt, "fn", "render", "--allow-exec")
			same(t, example.Objects, packaged(t, dir))
			table.Row(t, "examples/"+example.Name, "kpt", version, len(example.Objects))
		})
	}
}

// checkout copies an example beside a bin folder with the built program, as in the repository.
func checkout(t *testing.T, example string) string {
	t.Helper()
	root := t.TempDir()
	dir := filepath.Join(root, "examples", filepath.FromSlash(example))
	product.Copy(t, filepath.Join("examples", filepath.FromSlash(example)), dir)
	product.Link(t, root)
	return dir
}

func run(t *testing.T, dir, program string, args ...string) []byte {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program, args...)
	cmd.Dir = dir
	// Some examples leave it to the PATH where the program is.
	cmd.Env = append(os.Environ(), "PATH="+filepath.Dir(product.Binary(t))+":"+os.Getenv("PATH"))
	var out, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s %v: %v\n%s%s", filepath.Base(program), args, err, out.String(), stderr.String())
	}
	return out.Bytes()
}

// bookkeeping are the annotations that only a package needs: who made an object, and in which file it is.
var bookkeeping = regexp.MustCompile(`^(inferstack\.dev/generated-by|(internal\.)?config\.kubernetes\.io/.*)$`)

// packaged returns the objects that the function wrote into the package, as they would be applied.
func packaged(t *testing.T, dir string) []*unstructured.Unstructured {
	t.Helper()
	var list []*unstructured.Unstructured
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".yaml" {
			return err
		}
		for _, object := range manifests.File(t, path) {
			if object.GetKind() != "InferenceStack" {
				list = append(list, bare(object))
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func bare(object *unstructured.Unstructured) *unstructured.Unstructured {
	annotations := object.GetAnnotations()
	for key := range annotations {
		if bookkeeping.MatchString(key) {
			delete(annotations, key)
		}
	}
	if len(annotations) == 0 {
		annotations = nil
	}
	object.SetAnnotations(annotations)
	return object
}
