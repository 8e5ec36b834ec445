package cluster

import (
	"context"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/inferstack/inferstack/conformance/manifests"
)

// Install applies the objects with the namespaces that they need, and removes them when the test ends.
func (c *Cluster) Install(t testing.TB, objects []*unstructured.Unstructured) {
	t.Helper()
	client := c.Client(t)
	client.Namespaces(t, objects, nil)
	for _, object := range objects {
		if result := client.Apply(t.Context(), object); result.Err != nil {
			t.Fatalf("%s: %v", manifests.Name(object), result.Err)
		}
	}
	t.Cleanup(func() { client.Remove(t, objects) })
}

// Namespaces makes every namespace that the objects live in, with the labels.
func (c *Client) Namespaces(t testing.TB, objects []*unstructured.Unstructured, labels map[string]string) {
	t.Helper()
	seen := map[string]bool{}
	for _, object := range objects {
		name := object.GetNamespace()
		if name == "" || seen[name] {
			continue
		}
		seen[name] = true
		namespace := &unstructured.Unstructured{}
		namespace.SetAPIVersion("v1")
		namespace.SetKind("Namespace")
		namespace.SetName(name)
		namespace.SetLabels(labels)
		if result := c.Apply(t.Context(), namespace); result.Err != nil {
			t.Fatalf("namespace %s: %v", name, result.Err)
		}
	}
}

// Remove deletes the objects. It is made for cleanups, when the test's own context is over.
func (c *Client) Remove(t testing.TB, objects []*unstructured.Unstructured) {
	t.Helper()
	for _, object := range objects {
		if object.GetKind() == "Namespace" {
			// Without its controller a namespace would stay in termination and refuse everything new.
			continue
		}
		if err := c.Delete(context.Background(), object); err != nil {
			t.Logf("delete %s: %v", manifests.Name(object), err)
		}
	}
}
