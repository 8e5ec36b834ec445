package apiserver

import (
	"slices"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/inferstack/inferstack/conformance/cluster"
	"github.com/inferstack/inferstack/conformance/manifests"
	"github.com/inferstack/inferstack/conformance/product"
)

// autoscaling turns it on in a stack of five servers: as it is, and after the number was handed over as
// docs/troubleshooting.md says.
func autoscaling(t *testing.T, server *cluster.Cluster, all []product.Example) {
	i := slices.IndexFunc(all, func(e product.Example) bool { return e.Name == "quickstart" })
	fixed := all[i].Stacks(t).Edit(t, `spec: {monitoring: {}, decode: {replicas: 5}}`)
	scaled := fixed.Edit(t, `spec: {decode: {replicas: null, autoscaling: {min: 2, max: 8, targetRunningRequests: 4}}}`)
	for handedOver, want := range map[bool]int64{false: 1, true: 5} {
		client := server.Client(t)
		before := manifests.Parse(t, product.Run(t, "render", fixed.Write(t)))
		after := manifests.Parse(t, product.Run(t, "render", scaled.Write(t)))
		client.Prerequisites(t, after, standard("restricted"))
		apply(t, client, before)
		decode := manifests.Of(before, "Deployment")[1]
		if handedOver {
			handOver(t, client, decode)
		}
		apply(t, client, after)
		live, err := client.Get(t.Context(), decode)
		if err != nil {
			t.Fatal(err)
		}
		if replicas, _, _ := unstructured.NestedInt64(live.Object, "spec", "replicas"); replicas != want {
			t.Errorf("%s: %d replicas until the autoscaler acts, want %d (handed over: %v)", manifests.Name(decode), replicas, want, handedOver)
		}
		client.Remove(t, after)
	}
}

// handOver makes another owner of the number of replicas.
func handOver(t *testing.T, client *cluster.Client, workload *unstructured.Unstructured) {
	t.Helper()
	replicas, _, _ := unstructured.NestedInt64(workload.Object, "spec", "replicas")
	only := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": workload.GetAPIVersion(), "kind": workload.GetKind(),
		"metadata": map[string]any{"name": workload.GetName(), "namespace": workload.GetNamespace()},
		"spec":     map[string]any{"replicas": replicas},
	}}
	if result := client.ApplyAs(t.Context(), only, "handover"); result.Err != nil {
		t.Fatal(result.Err)
	}
}
