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
// each example with what build prints of its kustomization, or else render of its stacks, byte for byte.
func TestArgoCD(t *testing.T) {
	repository := filepath.Join(repository(t), "examples")
	server := servePlugin(t)
	for _, example := range product.Examples(t) {
		t.Run(example.Name, func(t *testing.T) {
			folder := filepath.Join(repository, example.Name)
			answer, err := server.Ask(t, Application{Repository: repository, Folder: folder})
			if err != nil {
				t.Fatal(err)
			}
			if !answer.Discovery || !answer.Supported {
				t.Error("the plugin does not claim the folder")
			}
			command := "render"
			if example.Kustomization(t) {
				command = "build"
			}
			if diff := cmp.Diff(documents(t, product.Run(t, command, folder)), answer.Manifests); diff != "" {
				t.Errorf("Argo CD gets something else than %[1]s prints (-%[1]s +plugin):\n%[2]s", command, diff)
			}
			row(t, example, "argocd-cmp-server")
		})
	}
}

// TestArgoCDOverlays has overlays of a stack built, whose base is elsewhere in the repository.
func TestArgoCDOverlays(t *testing.T) {
	repository := filepath.Join(repository(t), "examples")
	server := servePlugin(t)
	for _, name := range []string{"overlays/dev", "overlays/prod"} {
		folder := filepath.Join(repository, filepath.FromSlash(name))
		answer, err := server.Ask(t, Application{Repository: repository, Folder: folder})
		if err != nil {
			t.Fatal(err)
		}
		if !answer.Discovery || !answer.Supported {
			t.Errorf("the plugin does not claim %s", name)
		}
		if diff := cmp.Diff(documents(t, product.Run(t, "build", folder)), answer.Manifests); diff != "" {
			t.Errorf("%s: Argo CD gets something else than build prints (-build +plugin):\n%s", name, diff)
		}
		table.Row(t, "examples/"+name, "argocd-cmp-server", version(t, "argocd-cmp-server"), len(answer.Manifests))
	}
}

// TestArgoCDDiscovery asks about folders that are none of the plugin's.
func TestArgoCDDiscovery(t *testing.T) {
	repository := filepath.Join(repository(t), "examples")
	server := servePlugin(t)
	for _, folder := range []string{"gitops", "overlays"} {
		answer, err := server.Ask(t, Application{Repository: repository, Folder: filepath.Join(repository, folder)})
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
	answer, err := servePlugin(t).Ask(t, Application{Repository: dir, Folder: dir})
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

// TestArgoCDParameters: what the plugin announces of a folder, and what an Application's choice does to its manifests.
func TestArgoCDParameters(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"prod", "test"} {
		stack := "apiVersion: inferstack.dev/v1alpha1\nkind: InferenceStack\nmetadata:\n  name: " + name + "\nspec:\n  model: {name: a/b}\n"
		if err := os.WriteFile(filepath.Join(dir, name+".stack.yaml"), []byte(stack), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	server := servePlugin(t)
	both := documents(t, product.Run(t, "render", dir))
	for _, tt := range []struct {
		name, parameters string
		want             []string
		said             string // of one that fails
	}{
		{name: "none chosen", want: both},
		{name: "files", parameters: `[{"name": "files", "array": ["test.stack.yaml"]}]`, want: documents(t, product.Run(t, "render", filepath.Join(dir, "test.stack.yaml")))},
		{name: "platform", parameters: `[{"name": "platform", "map": {"kubernetes": "1.34", "gateway-api": "1.4"}}]`, want: both},
		{name: "platform that does not serve it", parameters: `[{"name": "platform", "map": {"inference-extension": "0.5"}}]`, said: "api-version-unserved"},
		{name: "lossy", parameters: `[{"name": "lossy", "string": "true"}]`, want: both},
		{name: "lossy misspelt", parameters: `[{"name": "lossy", "string": "yes"}]`, said: "lossy is true or false"},
		{name: "unknown", parameters: `[{"name": "replicas", "string": "2"}]`, said: "PARAM_REPLICAS"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			answer, err := server.Ask(t, Application{Repository: dir, Folder: dir, Parameters: tt.parameters})
			if (err != nil) != (tt.said != "") || err != nil && !strings.Contains(err.Error(), tt.said) {
				t.Fatalf("got %v, want %q", err, tt.said)
			}
			if diff := cmp.Diff(tt.want, answer.Manifests); diff != "" {
				t.Error(diff)
			}
			if tt.said == "" {
				checkAnnounced(t, answer.Parameters)
			}
			table.Row(t, "plugin parameters: "+tt.name, "argocd-cmp-server", version(t, "argocd-cmp-server"), len(answer.Manifests))
		})
	}
}

// checkAnnounced: the files are those of the folder, the rest is the same everywhere.
func checkAnnounced(t *testing.T, list []PluginParameter) {
	t.Helper()
	got := map[string]string{}
	for _, p := range list {
		got[p.Name] = strings.TrimSpace(p.CollectionType + p.ItemType + p.String + " " + strings.Join(p.Array, " "))
		if p.Title == "" || p.Tooltip == "" {
			t.Errorf("%s has no title or tooltip", p.Name)
		}
	}
	want := map[string]string{"files": "array prod.stack.yaml test.stack.yaml", "platform": "map", "lossy": "booleanfalse"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
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
