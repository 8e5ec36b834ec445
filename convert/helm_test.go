package convert

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/inferstack/inferstack/convert/helm"
	"github.com/inferstack/inferstack/internal/long"
)

// TestHelmGolden converts every installation of testdata/convert/helm: the values of
// the three charts, as far as they are there.
func TestHelmGolden(t *testing.T) {
	dirs, err := filepath.Glob("../testdata/convert/helm/*")
	if err != nil || len(dirs) == 0 {
		t.Fatal("no installations", err)
	}
	for _, dir := range dirs {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			long.Case(t, 8)
			v := HelmValues{Postfix: "inference-scheduling", Namespace: "llm-d-inference-scheduling"}
			v.Infra = valuesFile(t, dir, "infra.yaml")
			v.Pool = valuesFile(t, dir, "pool.yaml")
			v.Model = valuesFile(t, dir, "modelservice.yaml")
			r := Helm(v)
			golden(t, filepath.Join(dir, "stack.yaml"), stacksYAML(r))
			golden(t, filepath.Join(dir, "results.txt"), results(r.Problems))
			for _, s := range r.Stacks {
				if _, problems := s.Parse(); len(problems.Errors()) > 0 {
					t.Error(problems.Errors())
				}
			}
			stable(t, r)
		})
	}
}

// valuesFile is a file of an installation; one that is not there has no content.
func valuesFile(t *testing.T, dir, name string) helm.File {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return helm.File{Name: name, Data: data}
}
