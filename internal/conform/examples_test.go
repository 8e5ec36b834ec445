package conform_test

import (
	"bytes"
	"cmp"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/inferstack/inferstack/generators"
	"github.com/inferstack/inferstack/generators/manifest"
	"github.com/inferstack/inferstack/internal/conform"
	"github.com/inferstack/inferstack/internal/long"
	"github.com/inferstack/inferstack/release"
	"github.com/inferstack/inferstack/schema"
	"github.com/inferstack/inferstack/schema/document"
	"github.com/inferstack/inferstack/schema/rules"
)

// unrestricted are the examples that hold another standard: servers that run as root
// (docs/pod-security.md says why), or a user's own container taken over as it is, with the
// capabilities that it asks for.
var unrestricted = map[string]string{"tpu": "baseline", "chart-xpu": "baseline", "router-beside-infra": "baseline", "wide-ep": "privileged",
	"router-predicted-latency": "baseline", "xpu-prefill": "baseline", "variants": "baseline",
	"wide-expert-parallelism": "privileged",
	"data-parallel":           "privileged", "data-parallel-prefill": "privileged"}

// TestExamples compiles every stack under examples and has every object judged.
func TestExamples(t *testing.T) {
	stacks := 0
	for _, path := range yamlFiles(t, "../../examples") {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		docs, _ := document.Read(path, data)
		for _, doc := range docs {
			if doc.Kind != schema.Kind || filepath.Base(path) == "patch.yaml" {
				continue // a kustomize patch is not a whole stack
			}
			stacks++
			t.Run(strings.TrimPrefix(path, "../../examples/"), func(t *testing.T) {
				long.Case(t, 3)
				judge(t, path, doc)
			})
		}
	}
	if stacks == 0 {
		t.Error("no example has a stack")
	}
}

func judge(t *testing.T, path string, doc document.Document) {
	spec, problems := rules.Parse(doc.Node, doc.Source)
	if spec == nil {
		t.Fatal(problems)
	}
	line, err := release.Load(spec.Spec.Release)
	if err != nil {
		t.Fatal(err)
	}
	level := cmp.Or(unrestricted[filepath.Base(filepath.Dir(path))], "restricted")
	var out bytes.Buffer
	if err := manifest.WriteYAML(&out, manifest.List(generators.Generate(spec, line))); err != nil {
		t.Fatal(err)
	}
	written(t, out.Bytes(), level)
}

// written judges YAML as a user would apply it.
func written(t *testing.T, data []byte, level string) {
	objects, err := conform.Documents(data)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range objects {
		if notApplied[o.GetKind()] {
			continue
		}
		if err := conform.Check(o); err != nil {
			t.Error(err)
		}
		if err := conform.PodSecurity(o, level); err != nil {
			t.Error(err)
		}
	}
}

// notApplied are the kinds that never reach a cluster.
var notApplied = map[string]bool{"InferenceStack": true, "Kustomization": true, "Component": true, "Kptfile": true}

// TestGoldens judges every golden file as it stands: the files of a folder "golden", and
// those called golden.yaml or rendered.yaml.
func TestGoldens(t *testing.T) {
	for _, path := range append(yamlFiles(t, "../../testdata"), yamlFiles(t, "../../examples")...) {
		name := filepath.Base(path)
		if !strings.Contains(path, "/golden/") && name != "golden.yaml" && name != "rendered.yaml" {
			continue
		}
		t.Run(strings.TrimPrefix(path, "../../"), func(t *testing.T) {
			long.Case(t, 3)
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			written(t, data, cmp.Or(unrestricted[filepath.Base(filepath.Dir(path))], unrestricted[strings.TrimSuffix(name, ".yaml")], "restricted"))
		})
	}
}

func yamlFiles(t *testing.T, root string) []string {
	t.Helper()
	var files []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.HasSuffix(path, ".yaml") {
			files = append(files, filepath.ToSlash(path))
		}
		return err
	})
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return files
}
