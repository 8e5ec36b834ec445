package status

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// TestPods counts the pods of each kind of workload as its status has them.
func TestPods(t *testing.T) {
	owned := func(text string) string {
		return strings.Replace(text, "uid: x", "uid: x, ownerReferences: [{kind: Deployment, name: a, controller: true}]", 1)
	}
	for _, tt := range []struct{ name, object, want string }{
		{"deployment", of("apps/v1", "Deployment", "{replicas: 3}", "{readyReplicas: 2}"), "2/3"},
		{"of which nothing is said", of("apps/v1", "Deployment", "{}", "{}"), "0/1"},
		{"scaled to nothing", of("apps/v1", "Deployment", "{replicas: 0}", "{}"), "0/0"},
		{"that rolls", of("apps/v1", "Deployment", "{replicas: 2}", "{readyReplicas: 3}"), "3/2"},
		{"stateful set", of("apps/v1", "StatefulSet", "{replicas: 2}", "{readyReplicas: 2}"), "2/2"},
		{"daemon set", of("apps/v1", "DaemonSet", "{}", "{numberReady: 1, desiredNumberScheduled: 5}"), "1/5"},
		{"replica set of a deployment", owned(of("apps/v1", "ReplicaSet", "{replicas: 2}", "{readyReplicas: 2}")), "-"},
		{"groups", of("leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet", "{replicas: 3, leaderWorkerTemplate: {size: 4}}", "{readyReplicas: 2}"), "8/12"},
		{"groups of one", of("leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet", "{}", "{readyReplicas: 1}"), "1/1"},
		{"roles", of("disaggregatedset.x-k8s.io/v1", "DisaggregatedSet", "{slices: 2, roles: [{name: prefill, spec: {replicas: 2}}, {name: decode, spec: {leaderWorkerTemplate: {size: 2}}}]}",
			"{roleStatuses: [{name: prefill, readyReplicas: 3}, {name: decode, readyReplicas: 1}]}"), "decode 2/4, prefill 3/4"},
		{"a pod", of("v1", "Pod", "{}", "{}"), "-"},
		{"a config map", of("v1", "ConfigMap", "{}", "{}"), "-"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := Of([]*unstructured.Unstructured{object(t, tt.object)}, nil)
			if got := podsText(r.Components[0].Pods); got != tt.want {
				t.Errorf("%s, want %s", got, tt.want)
			}
		})
	}
}

// TestPodsOfAComponent adds up workloads, counts those of a set once, and those that are missing.
func TestPodsOfAComponent(t *testing.T) {
	set := object(t, of("disaggregatedset.x-k8s.io/v1", "DisaggregatedSet", "{roles: [{name: decode, spec: {replicas: 2}}]}", "{}"))
	group := object(t, of("leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet", "{replicas: 2}", "{readyReplicas: 1}"))
	group.SetLabels(map[string]string{setLabel: "a", roleLabel: "decode", revisionLabel: "1"})
	group.SetName("a-1-decode")
	deployment := object(t, of("apps/v1", "Deployment", "{replicas: 2}", "{readyReplicas: 1}"))
	second := deployment.DeepCopy()
	second.SetName("b")
	gone := deployment.DeepCopy()
	gone.SetName("c")
	unstructured.RemoveNestedField(gone.Object, "status")
	r := Of([]*unstructured.Unstructured{set, group, deployment, second}, []*unstructured.Unstructured{gone})
	got := map[string]string{}
	for _, c := range r.Components {
		got[c.Component] = podsText(c.Pods)
	}
	if d := cmp.Diff(map[string]string{"DisaggregatedSet": "decode 1/2", "LeaderWorkerSet": "-", "Deployment": "2/6"}, got); d != "" {
		t.Error(d)
	}
}
