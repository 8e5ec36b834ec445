package fn

import (
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	sigsyaml "sigs.k8s.io/yaml"

	"github.com/inferstack/inferstack/generators/manifest"
)

// kustomize builds a directory as kustomize build --enable-alpha-plugins --enable-exec
// does.
func kustomize(t *testing.T, dir string) (string, error) {
	t.Helper()
	return kustomizeWith(t, dir, true)
}

func kustomizeWith(t *testing.T, dir string, exec bool) (string, error) {
	t.Helper()
	opts := krusty.MakeDefaultOptions()
	opts.Reorder = krusty.ReorderOptionUnspecified
	opts.PluginConfig = types.EnabledPluginConfig(types.BploUseStaticallyLinked)
	opts.PluginConfig.FnpLoadingOptions.EnableExec = exec
	resources, err := krusty.MakeKustomizer(opts).Run(filesys.MakeFsOnDisk(), dir)
	if err != nil {
		return "", err
	}
	text, err := resources.AsYaml()
	return string(text), err
}

// asFunction adds the annotation by which kustomize finds the program.
func asFunction(t *testing.T, document string) string {
	t.Helper()
	return strings.Replace(document, "metadata:\n", "metadata:\n  annotations:\n    config.kubernetes.io/function: |\n      exec:\n        path: "+binary(t)+"\n", 1)
}

func TestKustomizeGenerator(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{
		"kustomization.yaml": "generators:\n- stack.yaml\nsortOptions:\n  order: fifo\n",
		"stack.yaml":         asFunction(t, small),
	})
	got, err := kustomize(t, dir)
	if err != nil {
		t.Fatal(err)
	}
	want := call(t, "", "render", filepath.Join(dir, "stack.yaml"))
	if diff := cmp.Diff(objectsIn(t, want.out), objectsIn(t, got)); diff != "" {
		t.Errorf("kustomize and render disagree:\n%s", diff)
	}
	if strings.Contains(got, "config.kubernetes.io") || strings.Contains(got, generatedBy) {
		t.Errorf("annotations of tools leak:\n%s", got)
	}
}

// objectsIn decodes YAML documents.
func objectsIn(t *testing.T, text string) []map[string]any {
	t.Helper()
	var out []map[string]any
	dec := yaml.NewDecoder(strings.NewReader(text))
	for {
		var doc map[string]any
		err := dec.Decode(&doc)
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		if len(doc) > 0 {
			out = append(out, doc)
		}
	}
}

// made decodes documents to objects, as if a generator had made them.
func made(t *testing.T, documents ...string) []manifest.Manifest {
	t.Helper()
	out := make([]manifest.Manifest, len(documents))
	for i, text := range documents {
		u := &unstructured.Unstructured{}
		if err := sigsyaml.Unmarshal([]byte(text), &u.Object); err != nil {
			t.Fatal(err)
		}
		out[i] = manifest.Of(u)
	}
	return out
}
