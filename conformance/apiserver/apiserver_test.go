package apiserver

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/inferstack/inferstack/conformance/cluster"
	"github.com/inferstack/inferstack/conformance/manifests"
	"github.com/inferstack/inferstack/conformance/product"
	"github.com/inferstack/inferstack/conformance/report"
)

var table = report.New("kube-apiserver", "manifests", "objects", "Pods admitted", "version", "CRDs")

func TestMain(m *testing.M) { report.Main(m, table) }

// outside are the API groups whose CRDs no Go module carries; a platform has them installed.
var outside = map[string]string{"networking.gke.io": "GKE"}

// asRoot are the examples whose Pods hold the baseline standard only, with the reason (docs/pod-security.md).
var asRoot = map[string]string{"tpu": "the vLLM image for TPUs runs as root; held to baseline"}

// TestExamples applies every example into namespaces that enforce the restricted Pod Security Standard, again, and once
// more.
func TestExamples(t *testing.T) {
	examples := product.Examples(t)
	server := cluster.Start(t, product.Objects(examples))
	for _, example := range examples {
		t.Run(example.Name, func(t *testing.T) {
			client := server.Client(t)
			name := "examples/" + example.Name
			objects := served(name, example.Objects)
			labels := standard("restricted")
			if reason := asRoot[example.Name]; reason != "" {
				labels = standard("baseline")
				table.Unproven(name+" under the restricted standard", reason)
			}
			client.Namespaces(t, objects, labels)
			t.Cleanup(func() { client.Remove(t, objects) })
			first := apply(t, client, objects)
			admitted := pods(t, client, objects)
			second := apply(t, client, objects)
			same(t, first, second)
			settled(t, second, apply(t, client, objects))
			table.Row(t, name, len(first), admitted, server.Version, server.CRDs)
		})
	}
}

// served returns the objects whose kinds the API server knows and reports the others.
func served(name string, objects []*unstructured.Unstructured) []*unstructured.Unstructured {
	var list []*unstructured.Unstructured
	for _, object := range objects {
		if platform := outside[object.GroupVersionKind().Group]; platform != "" {
			table.Unproven(name, object.GetKind()+": its CRD comes with "+platform)
			continue
		}
		list = append(list, object)
	}
	return list
}

// same fails for every object whose content is another one after it was applied again.
func same(t *testing.T, first, second []*unstructured.Unstructured) {
	t.Helper()
	for i, object := range second {
		if diff := cmp.Diff(content(first[i]), content(object)); diff != "" {
			t.Errorf("%s: applying it again changes it (-first +second):\n%s", manifests.Name(object), diff)
		}
	}
}

// content is an object without what the API server keeps about it. Status is left out, since a CRD's default for it is
// stored with the first update after the creation (Gateway has one).
func content(object *unstructured.Unstructured) map[string]any {
	bare := object.DeepCopy()
	bare.SetResourceVersion("")
	bare.SetManagedFields(nil)
	delete(bare.Object, "status")
	return bare.Object
}

// settled fails for every object that applying still writes: a controller such as Argo CD would do so for ever.
func settled(t *testing.T, before, after []*unstructured.Unstructured) {
	t.Helper()
	for i, object := range after {
		if before[i].GetResourceVersion() != object.GetResourceVersion() {
			t.Errorf("%s: each time that it is applied it is written", manifests.Name(object))
		}
	}
}
