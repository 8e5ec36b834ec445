package manifest

import (
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Object is a typed Kubernetes object with its apiVersion and kind set.
type Object interface {
	metav1.Object
	runtime.Object
}

// KindOf returns the kind of an object.
func KindOf(o Object) string { return o.GetObjectKind().GroupVersionKind().Kind }

// ID identifies an object in a cluster: group, kind, namespace and name.
type ID struct{ Group, Kind, Namespace, Name string }

// IDOf returns the identity of an object.
func IDOf(o Object) ID {
	gvk := o.GetObjectKind().GroupVersionKind()
	return ID{gvk.Group, gvk.Kind, o.GetNamespace(), o.GetName()}
}

// String is Kind "name" in namespace "namespace".
func (id ID) String() string {
	if id.Namespace == "" {
		return fmt.Sprintf("%s %q", id.Kind, id.Name)
	}
	return fmt.Sprintf("%s %q in namespace %q", id.Kind, id.Name, id.Namespace)
}
