package apiserver

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/inferstack/inferstack/conformance/cluster"
	"github.com/inferstack/inferstack/conformance/manifests"
)

// outside are the API groups whose CRDs no Go module carries; a platform has them installed.
var outside = map[string]string{"networking.gke.io": "GKE"}

// set is what one run of the program emitted.
type set struct {
	name    string
	objects []*unstructured.Unstructured
	asRoot  exemption // empty where the Pods hold the restricted standard
}

// An exemption is the Pod Security Standard that Pods hold in place of the restricted one, and why.
type exemption struct{ level, why string }

// install applies the set into namespaces that enforce a Pod Security Standard, again, and once more.
func (s set) install(t *testing.T, server *cluster.Cluster) {
	t.Helper()
	client := server.Client(t)
	objects := served(s.objects)
	for _, object := range s.objects {
		if platform := outside[object.GroupVersionKind().Group]; platform != "" {
			table.Unproven(s.name, object.GetKind()+": its CRD comes with "+platform)
		}
	}
	client.Prerequisites(t, objects, standard(s.level()))
	t.Cleanup(func() { client.Remove(t, objects) })
	first := apply(t, client, objects)
	admitted := pods(t, client, objects)
	second := apply(t, client, objects)
	same(t, first, second)
	settled(t, second, apply(t, client, objects))
	table.Row(t, s.name, len(first), admitted, server.Version, server.CRDs)
}

func (s set) level() string {
	if s.asRoot == (exemption{}) {
		return "restricted"
	}
	table.Unproven(s.name+" under the restricted standard", s.asRoot.why+"; held to "+s.asRoot.level)
	return s.asRoot.level
}

// served returns the objects whose kinds the API server knows.
func served(objects []*unstructured.Unstructured) []*unstructured.Unstructured {
	return slices.DeleteFunc(slices.Clone(objects), func(object *unstructured.Unstructured) bool {
		return outside[object.GroupVersionKind().Group] != ""
	})
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
