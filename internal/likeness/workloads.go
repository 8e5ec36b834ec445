package likeness

import "k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

// Workloads puts one kind, Workload, in the place of those that run model servers, with the pod at one path, so that
// servers are compared whatever runs them. A DisaggregatedSet becomes one for each of its roles.
func Workloads(objects []*Object) (out []*Object) {
	for _, o := range objects {
		switch o.GetKind() {
		case "DisaggregatedSet":
			out = append(out, roles(o)...)
		case "LeaderWorkerSet":
			out = append(out, workload(o, o.GetKind(), o.GetName()))
		case "Deployment":
			if labels, _, _ := unstructured.NestedStringMap(o.Object, "spec", "template", "metadata", "labels"); labels["llm-d.ai/role"] != "" {
				o = workload(o, o.GetKind(), o.GetName())
			}
			out = append(out, o)
		default:
			out = append(out, o)
		}
	}
	return out
}

// roles are the sets of servers of a DisaggregatedSet, and what it says of all.
func roles(set *Object) []*Object {
	rest := set.DeepCopy()
	unstructured.RemoveNestedField(rest.Object, "spec", "roles")
	out := []*Object{rest}
	list, _, _ := unstructured.NestedSlice(set.Object, "spec", "roles")
	for _, e := range list {
		if role, ok := e.(map[string]any); ok {
			name, _ := role["name"].(string)
			out = append(out, workload(&Object{Object: map[string]any{"spec": role["spec"]}}, "DisaggregatedSet", set.GetName()+"-"+name))
		}
	}
	return out
}

// workload is a set of servers with its pod where a Deployment has it.
func workload(o *Object, kind, name string) *Object {
	out := o.DeepCopy()
	if pod, found, _ := unstructured.NestedMap(out.Object, "spec", "leaderWorkerTemplate", "workerTemplate"); found {
		_ = unstructured.SetNestedMap(out.Object, pod, "spec", "template") // spec is a mapping: it has the field
		unstructured.RemoveNestedField(out.Object, "spec", "leaderWorkerTemplate", "workerTemplate")
	}
	out.SetKind("Workload")
	out.SetName(name)
	out.SetLabels(nil)
	_ = unstructured.SetNestedField(out.Object, kind, "spec", "kind")
	return out
}
