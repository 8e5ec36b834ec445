package apiserver

import (
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/inferstack/inferstack/conformance/cluster"
	"github.com/inferstack/inferstack/conformance/manifests"
)

// templates is where each kind of workload keeps its Pod templates.
var templates = map[string][][]string{
	"Deployment":      {{"spec", "template"}},
	"StatefulSet":     {{"spec", "template"}},
	"DaemonSet":       {{"spec", "template"}},
	"Job":             {{"spec", "template"}},
	"LeaderWorkerSet": {{"spec", "leaderWorkerTemplate", "leaderTemplate"}, {"spec", "leaderWorkerTemplate", "workerTemplate"}},
}

// pods asks the API server to admit one Pod of every template, without keeping it: a workload's template only draws a
// warning, the Pod itself is refused. It returns how many Pods were asked for.
func pods(t *testing.T, client *cluster.Client, objects []*unstructured.Unstructured) int {
	t.Helper()
	count := 0
	for _, object := range objects {
		for _, path := range templates[object.GetKind()] {
			template, found, err := unstructured.NestedMap(object.Object, path...)
			if err != nil {
				t.Fatal(err)
			}
			if !found {
				continue
			}
			count++
			pod := &unstructured.Unstructured{Object: template}
			pod.SetAPIVersion("v1")
			pod.SetKind("Pod")
			pod.SetNamespace(object.GetNamespace())
			pod.SetName(object.GetName() + "-0")
			if result := client.DryRun(t.Context(), pod); result.Err != nil {
				t.Errorf("a Pod of %s: %v", manifests.Name(object), result.Err)
			}
		}
	}
	return count
}
