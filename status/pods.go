package status

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/inferstack/inferstack/internal/lists"
)

// Pods are how many pods of a role are ready and how many there should be, as the status of their
// workload says. Only a workload with several roles names them.
type Pods struct {
	Role    string `json:"role,omitempty"`
	Ready   int64  `json:"ready"`
	Desired int64  `json:"desired"`
}

// podsOf counts the pods of a workload; groups are the LeaderWorkerSets of a DisaggregatedSet. What
// a workload among the objects may have made is counted there.
func podsOf(u *unstructured.Unstructured, groups []*unstructured.Unstructured) []Pods {
	if metav1.GetControllerOf(u) != nil || u.GetLabels()[setLabel] != "" {
		return nil
	}
	spec, state := u.Object["spec"], u.Object["status"]
	switch u.GroupVersionKind().GroupKind().String() {
	case "Deployment.apps", "StatefulSet.apps", "ReplicaSet.apps":
		return []Pods{{Ready: number(state, "readyReplicas", 0), Desired: number(spec, "replicas", 1)}}
	case "DaemonSet.apps":
		return []Pods{{Ready: number(state, "numberReady", 0), Desired: number(state, "desiredNumberScheduled", 0)}}
	case "LeaderWorkerSet.leaderworkerset.x-k8s.io":
		size := groupSize(spec)
		return []Pods{{Ready: size * number(state, "readyReplicas", 0), Desired: size * number(spec, "replicas", 1)}}
	case "DisaggregatedSet.disaggregatedset.x-k8s.io":
		return podsOfRoles(u, groups)
	}
	return nil
}

// podsOfRoles counts the pods of each role of a DisaggregatedSet.
func podsOfRoles(u *unstructured.Unstructured, groups []*unstructured.Unstructured) (out []Pods) {
	counts := countsOf(u)
	if counts == nil {
		counts = countGroups(groups)
	}
	slices := number(u.Object["spec"], "slices", 1)
	for _, role := range list(u.Object["spec"], "roles") {
		size, name := groupSize(role["spec"]), text(role, "name")
		out = append(out, Pods{name, size * counts[name].ready, size * slices * number(role["spec"], "replicas", 1)})
	}
	return out
}

// groupSize is how many pods a group of a LeaderWorkerSet has, of which a ready group has all ready
// (sigs.k8s.io/lws v0.7.0 api/leaderworkerset/v1).
func groupSize(spec any) int64 {
	m, _ := spec.(map[string]any)
	return number(m["leaderWorkerTemplate"], "size", 1)
}

// sum adds counts, by role.
func sum(all, more []Pods) []Pods {
	for _, p := range more {
		i := slices.IndexFunc(all, func(have Pods) bool { return have.Role == p.Role })
		if i < 0 {
			all = append(all, p)
			continue
		}
		all[i].Ready += p.Ready
		all[i].Desired += p.Desired
	}
	slices.SortStableFunc(all, func(a, b Pods) int { return cmp.Compare(a.Role, b.Role) })
	return all
}

// podsText is as kubectl writes it, such as 1/2, with the roles where there are several.
func podsText(all []Pods) string {
	out := lists.Map(all, func(p Pods) string { return strings.TrimSpace(fmt.Sprintf("%s %d/%d", p.Role, p.Ready, p.Desired)) })
	return cmp.Or(strings.Join(out, ", "), "-")
}
