package delivery

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/yaml"

	"github.com/inferstack/inferstack/conformance/assets"
	"github.com/inferstack/inferstack/conformance/product"
)

// TestArgoCD serves the plugin of the GitOps example in Argo CD's own plugin server, and compares what it generates of
// each streamed example with what render prints, byte for byte.
func TestArgoCD(t *testing.T) {
	repository := filepath.Join(repository(t), "examples")
	server := servePlugin(t)
	for _, example := range product.Examples(t) {
		t.Run(example.Name, func(t *testing.T) {
			folder := filepath.Join(repository, example.Name)
			answer, err := server.Ask(t, repository, folder)
			if err != nil {
				t.Fatal(err)
			}
			if !answer.Discovery || !answer.Supported {
				t.Error("the plugin does not claim the folder")
			}
			// Everything about a stack is in its file (examples/gitops/argocd-plugin/README.md).
			if len(answer.Parameters) > 0 {
				t.Errorf("parameters that no test looks at: %v", answer.Parameters)
			}
			if diff := cmp.Diff(documents(t, product.Run(t, "render", folder)), answer.Manifests); diff != "" {
				t.Errorf("Argo CD gets something else than render prints (-render +plugin):\n%s", diff)
			}
			row(t, example, "argocd-cmp-server")
		})
	}
}

// TestArgoCDDiscovery asks about folders that are none of the plugin's.
func TestArgoCDDiscovery(t *testing.T) {
	repository := filepath.Join(repository(t), "examples")
	server := servePlugin(t)
	for _, folder := range []string{"gitops", "overlays/prod"} {
		answer, err := server.Ask(t, repository, filepath.Join(repository, folder))
		if err != nil {
			t.Fatal(err)
		}
		if answer.Supported {
			t.Errorf("the plugin claims %s", folder)
		}
		table.Row(t, "examples/"+folder+": not the plugin's", "argocd-cmp-server", version(t, "argocd-cmp-server"), 0)
	}
}

// TestArgoCDShowsMistakes: the error in the Application names file, line and field, and no manifests come with it.
func TestArgoCDShowsMistakes(t *testing.T) {
	dir := t.TempDir()
	stack := "apiVersion: inferstack.dev/v1alpha1\nkind: InferenceStack\nmetadata:\n  name: llama\nspec:\n  modle: {name: a/b}\n"
	if err := os.WriteFile(filepath.Join(dir, "stack.yaml"), []byte(stack), 0o600); err != nil {
		t.Fatal(err)
	}
	answer, err := servePlugin(t).Ask(t, dir, dir)
	if err == nil {
		t.Fatalf("%d manifests of a stack with a mistake", len(answer.Manifests))
	}
	for _, part := range []string{"stack.yaml:6", "spec.modle"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%q is not in %v", part, err)
		}
	}
	table.Row(t, "a stack with a mistake: refused", "argocd-cmp-server", version(t, "argocd-cmp-server"), 0)
}

func servePlugin(t *testing.T) *PluginServer {
	t.Helper()
	plugin := filepath.Join(repository(t), "examples", "gitops", "argocd-plugin", "install", "plugin.yaml")
	return ServePlugin(t, plugin, filepath.Dir(product.Binary(t)))
}

func repository(t *testing.T) string {
	t.Helper()
	root, err := assets.Root()
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Dir(root)
}

// documents splits YAML as Argo CD's GitOps engine does: each document becomes JSON.
func documents(t *testing.T, output []byte) []string {
	t.Helper()
	decoder := yaml.NewYAMLOrJSONDecoder(bytes.NewReader(output), 4096)
	var list []string
	for {
		var document runtime.RawExtension
		if err := decoder.Decode(&document); err != nil {
			return list
		}
		if raw := bytes.TrimSpace(document.Raw); len(raw) > 0 && !bytes.Equal(raw, []byte("null")) {
			list = append(list, string(raw))
		}
	}
}
