package cluster

import (
	"context"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/inferstack/inferstack/conformance/manifests"
)

// Install applies the objects with the namespaces that they need, and removes them when the test ends.
func (c *Cluster) Install(t testing.TB, objects []*unstructured.Unstructured) {
	t.Helper()
	client := c.Client(t)
	client.Prerequisites(t, objects, nil)
	for _, object := range objects {
		if result := client.Apply(t.Context(), object); result.Err != nil {
			t.Fatalf("%s: %v", manifests.Name(object), result.Err)
		}
	}
	t.Cleanup(func() { client.Remove(t, objects) })
}

// Prerequisites makes every namespace that the objects live in, with the labels, and every PriorityClass of their Pods.
func (c *Client) Prerequisites(t testing.TB, objects []*unstructured.Unstructured, labels map[string]string) {
	t.Helper()
	c.priorities(t, objects)
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

// priorities makes the PriorityClasses that templates among the objects name; those of Kubernetes itself are there.
func (c *Client) priorities(t testing.TB, objects []*unstructured.Unstructured) {
	t.Helper()
	names := map[string]bool{}
	for _, object := range objects {
		named(object.Object, names)
	}
	for name := range names {
		class := &unstructured.Unstructured{Object: map[string]any{"value": int64(1000)}}
		class.SetAPIVersion("scheduling.k8s.io/v1")
		class.SetKind("PriorityClass")
		class.SetName(name)
		if result := c.Apply(t.Context(), class); result.Err != nil {
			t.Fatalf("PriorityClass %s: %v", name, result.Err)
		}
	}
}

// named collects the PriorityClasses that are named anywhere below.
func named(value any, names map[string]bool) {
	switch value := value.(type) {
	case map[string]any:
		if name, ok := value["priorityClassName"].(string); ok && !strings.HasPrefix(name, "system-") {
			names[name] = true
		}
		for _, below := range value {
			named(below, names)
		}
	case []any:
		for _, below := range value {
			named(below, names)
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
