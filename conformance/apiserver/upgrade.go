package apiserver

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/inferstack/inferstack/conformance/manifests"
)

// apply puts one object of the next version over what is there. What inferstack diff says of it must be what the API
// server does: an object that it calls one to replace is refused, any other is taken.
func (s *stack) apply(t *testing.T, object *unstructured.Unstructured, risk string) {
	t.Helper()
	replaces := risk == "replaces" || risk == "loses-data"
	result := s.client.Apply(t.Context(), object)
	switch {
	case result.Err == nil && replaces:
		t.Errorf("%s: diff says that it must be replaced, and the API server changes it in place", manifests.Name(object))
	case result.Err != nil && !replaces:
		t.Errorf("%s: diff says %q, and the API server refuses it: %v", manifests.Name(object), risk, result.Err)
		return
	case result.Err != nil:
		if !apierrors.IsInvalid(result.Err) {
			t.Errorf("%s: %v", manifests.Name(object), result.Err)
		}
		result = s.replace(t, object)
		s.replaced++
	default:
		s.changed++
	}
	for _, warning := range result.Warnings {
		if expected(warning) == "" {
			t.Errorf("%s: the API server warns: %s", manifests.Name(object), warning)
		}
	}
	s.asIfNew(t, object, result.Object)
}

// asIfNew fails when the object holds anything that it would not hold in a cluster that never saw the former version.
func (s *stack) asIfNew(t *testing.T, object, live *unstructured.Unstructured) {
	t.Helper()
	fresh := s.client.TryApply(t.Context(), elsewhere(object))
	if fresh.Err != nil {
		t.Errorf("%s: %v", manifests.Name(object), fresh.Err)
		return
	}
	if diff := cmp.Diff(withoutPlace(fresh.Object), withoutPlace(live)); diff != "" {
		t.Errorf("%s: something of the former version is left (-new installation +upgraded):\n%s", manifests.Name(object), diff)
	}
}

// elsewhere is the object in a place where nothing ever was.
func elsewhere(object *unstructured.Unstructured) *unstructured.Unstructured {
	moved := object.DeepCopy()
	if moved.GetNamespace() == "" {
		moved.SetName(moved.GetName() + "-new")
	} else {
		moved.SetNamespace(moved.GetNamespace() + "-new")
	}
	return moved
}

// withoutPlace is what an object says, without where it is and what the API server hands out.
func withoutPlace(object *unstructured.Unstructured) map[string]any {
	bare := object.DeepCopy()
	for _, field := range []string{"name", "namespace", "uid", "creationTimestamp", "generation", "resourceVersion", "managedFields"} {
		unstructured.RemoveNestedField(bare.Object, "metadata", field)
	}
	delete(bare.Object, "status")
	if bare.GetKind() == "Service" {
		unstructured.RemoveNestedField(bare.Object, "spec", "clusterIP")
		unstructured.RemoveNestedField(bare.Object, "spec", "clusterIPs")
		ports, _, _ := unstructured.NestedSlice(bare.Object, "spec", "ports")
		for _, port := range ports {
			delete(port.(map[string]any), "nodePort")
		}
		_ = unstructured.SetNestedSlice(bare.Object, ports, "spec", "ports")
	}
	return bare.Object
}
