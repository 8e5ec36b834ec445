package cluster

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/inferstack/inferstack/conformance/assets"
	"github.com/inferstack/inferstack/conformance/manifests"
)

// definitions is where an upstream module keeps the CRDs of its release.
type definitions struct{ module, pattern string }

// upstream are the CRDs that a cluster of the supported platforms has, at the versions that the documentation names.
var upstream = []definitions{
	{"sigs.k8s.io/gateway-api@v1.6.0", "config/crd/standard/gateway.networking.k8s.io_*s.yaml"},
	{"sigs.k8s.io/gateway-api-inference-extension@v1.5.0", "config/crd/bases/*.yaml"},
	{"istio.io/istio@v0.0.0-20260827124520-eed52ebb66ad", "manifests/charts/base/files/crd-all.gen.yaml"},
	{"github.com/kgateway-dev/kgateway/v2@v2.2.0", "install/helm/kgateway-crds/templates/*.yaml"},
	{"github.com/kgateway-dev/kgateway/v2@v2.2.0", "install/helm/agentgateway-crds/templates/*.yaml"},
	{"sigs.k8s.io/lws@v0.9.0", "config/crd/bases/*.yaml"},
	{"github.com/kedacore/keda/v2@v2.18.0", "config/crd/bases/keda.sh_*.yaml"},
	{"github.com/prometheus-operator/prometheus-operator@v0.92.1", "example/prometheus-operator-crd/*.yaml"},
}

// customResources returns every CRD that the emitted objects can need.
func customResources(t testing.TB) []*unstructured.Unstructured {
	t.Helper()
	var list []*unstructured.Unstructured
	for _, d := range upstream {
		files, err := filepath.Glob(filepath.Join(assets.ModuleDir(t, d.module), d.pattern))
		if err != nil || len(files) == 0 {
			t.Fatalf("no CRDs at %s in %s (%v)", d.pattern, d.module, err)
		}
		for _, file := range files {
			for _, crd := range manifests.Of(parse(t, file), "CustomResourceDefinition") {
				list = append(list, crd)
				if renamed := routerLine(crd); renamed != nil {
					list = append(list, renamed)
				}
			}
		}
	}
	return list
}

// parse reads a CRD file; those that sit in a Helm chart's folder may guard themselves with template lines.
func parse(t testing.TB, file string) []*unstructured.Unstructured {
	t.Helper()
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var plain bytes.Buffer
	for line := range strings.Lines(string(content)) {
		if !strings.HasPrefix(strings.TrimSpace(line), "{{") {
			plain.WriteString(line)
		}
	}
	return manifests.Parse(t, plain.Bytes())
}

// routerLine returns the CRD under the group that llm-d-router moved it to, or nil for a kind that did not move.
//
// llm-d-router v0.9 and later ship InferenceObjective and InferenceModelRewrite as llm-d.ai/v1alpha2; that module is
// not to be had from the module proxy, so the schema is the Inference Extension's v1alpha2 one from before the move.
func routerLine(crd *unstructured.Unstructured) *unstructured.Unstructured {
	const from, to = ".inference.networking.x-k8s.io", ".llm-d.ai"
	name := crd.GetName()
	if !strings.HasSuffix(name, from) || strings.HasPrefix(name, "inferencepoolimports") {
		return nil
	}
	renamed := crd.DeepCopy()
	renamed.SetName(strings.TrimSuffix(name, from) + to)
	// The annotation names the pull request that approved the *.k8s.io group; the new group needs none.
	renamed.SetAnnotations(nil)
	spec := renamed.Object["spec"].(map[string]any)
	spec["group"] = strings.TrimPrefix(to, ".")
	return renamed
}

// watched are the kinds that every endpoint picker watches, emitted or not.
var watched = []string{"InferencePool", "InferenceObjective", "InferenceModelRewrite"}

// needed keeps the CRDs of the objects' kinds and of the watched ones.
func needed(crds, objects []*unstructured.Unstructured) []*unstructured.Unstructured {
	kinds := map[string]bool{}
	for _, object := range objects {
		kinds[object.GroupVersionKind().GroupKind().String()] = true
	}
	return slices.DeleteFunc(crds, func(crd *unstructured.Unstructured) bool {
		kind, _, _ := unstructured.NestedString(crd.Object, "spec", "names", "kind")
		group, _, _ := unstructured.NestedString(crd.Object, "spec", "group")
		return !kinds[kind+"."+group] && !slices.Contains(watched, kind)
	})
}
