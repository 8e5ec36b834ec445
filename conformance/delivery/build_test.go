package delivery

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/inferstack/inferstack/conformance/assets"
	"github.com/inferstack/inferstack/conformance/product"
)

// TestBuild holds inferstack build to kustomize's own program over all kustomizations of the repository.
func TestBuild(t *testing.T) {
	root := t.TempDir()
	for _, folder := range []string{"examples", "components"} {
		product.Copy(t, folder, filepath.Join(root, folder))
	}
	product.Link(t, root)
	built := 0
	for _, dir := range kustomizations(t, root) {
		name, err := filepath.Rel(root, dir)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(filepath.ToSlash(name), func(t *testing.T) {
			if likeKustomize(t, dir) == alike {
				built++
			}
		})
	}
	if built < 20 {
		t.Errorf("only %d kustomizations were built", built)
	}
	table.Row(t, "kustomizations of examples/ and components/, by inferstack build", "kustomize", version(t, "kustomize"), built)
}

// TestBuildOfKustomizeTests does the same over the trees of kustomize's own tests.
func TestBuildOfKustomizeTests(t *testing.T) {
	counts := map[outcome]int{}
	for _, c := range UpstreamCases(t, filepath.Join(kustomizeAPI(t), "krusty")) {
		t.Run(c.Name, func(t *testing.T) {
			root := t.TempDir()
			for name, text := range c.Files {
				file := filepath.Join(root, filepath.FromSlash(name))
				if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			for _, dir := range c.Roots {
				counts[likeKustomize(t, filepath.Join(root, filepath.FromSlash(dir)))]++
			}
		})
	}
	t.Logf("%d alike, %d failed in both", counts[alike], counts[bothFailed])
	if counts[alike] < 280 {
		t.Errorf("only %d kustomizations were built", counts[alike])
	}
	table.Row(t, "kustomizations of kustomize's tests, by inferstack build", "kustomize", version(t, "kustomize"), counts[alike])
}

// An outcome is what came of building a kustomization twice.
type outcome int

const (
	different outcome = iota
	alike
	bothFailed
)

// likeKustomize builds a directory with both programs, and fails where they differ.
func likeKustomize(t *testing.T, dir string) outcome {
	t.Helper()
	want, wantErr := offline(t, assets.Binary(t, "kustomize"), "build", "--enable-alpha-plugins", "--enable-exec", dir)
	got, gotErr := offline(t, product.Binary(t), "build", dir)
	switch {
	case wantErr != "" && gotErr != "":
		return bothFailed
	case wantErr != "":
		t.Errorf("%s: kustomize does not build it: %s", dir, wantErr)
		return different
	case gotErr != "":
		t.Errorf("%s: kustomize builds it, inferstack does not: %s", dir, gotErr)
		return different
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-kustomize +inferstack):\n%s", dir, diff)
		return different
	}
	return alike
}

// offline runs a program that finds no network and no other program than inferstack's. It
// returns what it printed, and why it failed.
func offline(t *testing.T, program string, args ...string) (string, string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program, args...)
	// The port of a proxy at which nobody answers.
	cmd.Env = []string{"PATH=" + filepath.Dir(product.Binary(t)), "HOME=" + t.TempDir(), "HTTP_PROXY=http://127.0.0.1:1", "HTTPS_PROXY=http://127.0.0.1:1"}
	var out, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &stderr
	if err := cmd.Run(); err != nil {
		return "", err.Error() + ": " + stderr.String()
	}
	return out.String(), ""
}

// kustomizations returns the directories below root that have one.
func kustomizations(t *testing.T, root string) []string {
	t.Helper()
	var dirs []string
	err := filepath.WalkDir(root, func(name string, _ fs.DirEntry, err error) error {
		if filepath.Base(name) == "kustomization.yaml" {
			dirs = append(dirs, filepath.Dir(name))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return dirs
}

// kustomizeAPI is where Go keeps the module of kustomize that inferstack build links.
func kustomizeAPI(t *testing.T) string {
	t.Helper()
	root, err := assets.Root()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", "{{.Dir}}", "sigs.k8s.io/kustomize/api")
	cmd.Dir = filepath.Dir(root)
	out, err := cmd.Output()
	if err != nil || len(bytes.TrimSpace(out)) == 0 {
		t.Fatalf("find kustomize's module: %v", err)
	}
	return string(bytes.TrimSpace(out))
}
