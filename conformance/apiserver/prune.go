package apiserver

import (
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/inferstack/inferstack/conformance/cluster"
	"github.com/inferstack/inferstack/conformance/manifests"
)

// emitted selects what the program made of the stacks, by the labels that it puts on every object.
func (s *stack) emitted() string {
	var names []string
	for _, stack := range s.stacks {
		name, _, _ := unstructured.NestedString(stack, "metadata", "name")
		names = append(names, name)
	}
	return "app.kubernetes.io/managed-by=inferstack,app.kubernetes.io/instance in (" + strings.Join(names, ",") + ")"
}

// kinds are all that was ever applied, and the namespaces it was in.
type kinds struct {
	list       []schema.GroupVersionKind
	namespaces []string
}

func (k *kinds) add(objects []*unstructured.Unstructured) {
	for _, object := range objects {
		if kind := object.GroupVersionKind(); !slices.Contains(k.list, kind) {
			k.list = append(k.list, kind)
		}
		if namespace := object.GetNamespace(); !slices.Contains(k.namespaces, namespace) {
			k.namespaces = append(k.namespaces, namespace)
		}
	}
}

// live returns what the API server has of the kinds in the namespaces.
func (k *kinds) live(t *testing.T, client *cluster.Client, selector string) []*unstructured.Unstructured {
	t.Helper()
	var list []*unstructured.Unstructured
	for _, kind := range k.list {
		items, err := client.List(t.Context(), kind, selector)
		if err != nil {
			t.Fatalf("list %s: %v", kind.Kind, err)
		}
		for i := range items {
			if slices.Contains(k.namespaces, items[i].GetNamespace()) {
				list = append(list, &items[i])
			}
		}
	}
	return list
}

// prune deletes what carries the program's labels and is not in the set any more, as kubectl, Argo CD and Flux do it
// each with a label or list of their own.
func (s *stack) prune(t *testing.T) {
	t.Helper()
	wanted := identities(s.objects)
	for _, object := range s.kinds.live(t, s.client, s.emitted()) {
		if slices.Contains(wanted, identity(object)) {
			continue
		}
		if err := s.client.Delete(t.Context(), object); err != nil {
			t.Errorf("prune %s: %v", manifests.Name(object), err)
		}
		s.pruned++
	}
}

// left fails unless exactly the emitted set is there, labels or not, and what else is named.
func (s *stack) left(t *testing.T, others ...*unstructured.Unstructured) {
	t.Helper()
	live := identities(slices.DeleteFunc(s.kinds.live(t, s.client, ""), bootstrap))
	wanted := identities(append(others, s.objects...))
	for _, id := range wanted {
		if !slices.Contains(live, id) {
			t.Errorf("%s is gone", id)
		}
	}
	for _, id := range live {
		if !slices.Contains(wanted, id) {
			t.Errorf("%s is left over", id)
		}
	}
}

// bootstrap reports whether the API server made the object itself.
func bootstrap(object *unstructured.Unstructured) bool {
	return object.GetLabels()["kubernetes.io/bootstrapping"] == "rbac-defaults"
}

func identities(objects []*unstructured.Unstructured) []string {
	ids := make([]string, len(objects))
	for i, object := range objects {
		ids[i] = identity(object)
	}
	return ids
}

// identity names an object whatever its version.
func identity(object *unstructured.Unstructured) string {
	return strings.Join([]string{object.GroupVersionKind().Group, object.GetKind(), object.GetNamespace(), object.GetName()}, "/")
}

// replace deletes the object and makes it anew.
func (s *stack) replace(t *testing.T, object *unstructured.Unstructured) cluster.Result {
	t.Helper()
	if err := s.client.Delete(t.Context(), object); err != nil {
		t.Errorf("replace %s: %v", manifests.Name(object), err)
	}
	result := s.client.Apply(t.Context(), object)
	if result.Err != nil {
		t.Fatalf("%s, deleted before: %v", manifests.Name(object), result.Err)
	}
	return result
}
