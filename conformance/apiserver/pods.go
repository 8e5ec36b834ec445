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
	for _, object := range manifests.Parted(objects) {
		for _, path := range templates[object.GetKind()] {
			template, found, err := unstructured.NestedMap(object.Object, path...)
			if err != nil {
				t.Fatal(err)
			}
			if !found {
				continue
			}
			count++
			claim(t, object, template)
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

// claim gives a Pod of a StatefulSet the volumes of its claims, as the StatefulSet's controller does.
func claim(t *testing.T, object *unstructured.Unstructured, template map[string]any) {
	t.Helper()
	claims, _, _ := unstructured.NestedSlice(object.Object, "spec", "volumeClaimTemplates")
	volumes, _, _ := unstructured.NestedSlice(template, "spec", "volumes")
	for _, item := range claims {
		name, _, _ := unstructured.NestedString(item.(map[string]any), "metadata", "name")
		volumes = append(volumes, map[string]any{
			"name": name, "persistentVolumeClaim": map[string]any{"claimName": name + "-" + object.GetName() + "-0"},
		})
	}
	if len(claims) > 0 {
		if err := unstructured.SetNestedSlice(template, volumes, "spec", "volumes"); err != nil {
			t.Fatal(err)
		}
	}
}
