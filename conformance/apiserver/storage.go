package apiserver

import (
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/inferstack/inferstack/conformance/cluster"
	"github.com/inferstack/inferstack/conformance/manifests"
)

// storageClasses makes those that the claims of the examples and of their next versions name, and a default one. All
// let a claim grow.
func storageClasses(t *testing.T, client *cluster.Client) {
	t.Helper()
	for name, standard := range map[string]string{"standard": "true", "shared-nvme": "false", "fast": "false"} {
		class := &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass",
			"metadata": map[string]any{
				"name":        name,
				"annotations": map[string]any{"storageclass.kubernetes.io/is-default-class": standard},
			},
			"provisioner": "example.com/none", "allowVolumeExpansion": true,
		}}
		if result := client.Apply(t.Context(), class); result.Err != nil {
			t.Fatal(result.Err)
		}
	}
}

// bind says of every claim that it has its volume, as the volume controller would: only a bound claim can grow.
func bind(t *testing.T, client *cluster.Client, objects []*unstructured.Unstructured) {
	t.Helper()
	for _, object := range manifests.Of(objects, "PersistentVolumeClaim") {
		claim, err := client.Get(t.Context(), object)
		if err != nil {
			t.Fatal(err)
		}
		size, _, _ := unstructured.NestedFieldCopy(claim.Object, "spec", "resources", "requests")
		claim.Object["status"] = map[string]any{"phase": "Bound", "capacity": size}
		if err := client.UpdateStatus(t.Context(), claim); err != nil {
			t.Fatal(err)
		}
	}
}
