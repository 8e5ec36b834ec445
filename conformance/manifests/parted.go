package manifests

import "k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

// Parted has the roles of each DisaggregatedSet as the LeaderWorkerSets that its controller makes of them.
func Parted(objects []*unstructured.Unstructured) []*unstructured.Unstructured {
	var out []*unstructured.Unstructured
	for _, object := range objects {
		out = append(out, object)
		roles, _, _ := unstructured.NestedSlice(object.Object, "spec", "roles")
		for _, item := range roles {
			role := &unstructured.Unstructured{Object: item.(map[string]any)}
			groups := &unstructured.Unstructured{Object: map[string]any{"spec": role.Object["spec"]}}
			groups.SetKind("LeaderWorkerSet")
			groups.SetNamespace(object.GetNamespace())
			groups.SetName(object.GetName() + "-" + role.Object["name"].(string))
			out = append(out, groups)
		}
	}
	return out
}
