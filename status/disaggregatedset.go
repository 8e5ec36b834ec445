package status

import (
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// Labels of the LeaderWorkerSets of a DisaggregatedSet (sigs.k8s.io/lws v0.9.0
// api/disaggregatedset/v1).
const (
	setLabel      = "disaggregatedset.x-k8s.io/name"
	roleLabel     = "disaggregatedset.x-k8s.io/role"
	revisionLabel = "disaggregatedset.x-k8s.io/revision"
)

// groupsOfSets are the LeaderWorkerSets of each DisaggregatedSet, by namespace/name.
func groupsOfSets(objects []*unstructured.Unstructured) map[string][]*unstructured.Unstructured {
	out := map[string][]*unstructured.Unstructured{}
	for _, u := range objects {
		if set := u.GetLabels()[setLabel]; set != "" && u.GetKind() == "LeaderWorkerSet" {
			at := u.GetNamespace() + "/" + set
			out[at] = append(out[at], u)
		}
	}
	return out
}

// A count is how far the groups of a role have come.
type count struct{ ready, updated int64 }

// disaggregatedSet asks for all groups of each role. LeaderWorkerSet 0.9 keeps no status of a
// DisaggregatedSet: there its LeaderWorkerSets say it, where they are among the objects.
func disaggregatedSet(u *unstructured.Unstructured, groups []*unstructured.Unstructured) Verdict {
	counts := countsOf(u)
	if counts == nil {
		counts = countGroups(groups)
	}
	if counts == nil {
		return Verdict{Progressing, "its controller keeps no status of it, as LeaderWorkerSet 0.9; read its LeaderWorkerSets too"}
	}
	slices := number(u.Object["spec"], "slices", 1)
	for _, role := range list(u.Object["spec"], "roles") {
		want, have := slices*number(role["spec"], "replicas", 1), counts[text(role, "name")]
		switch {
		case have.ready < want:
			return Verdict{Progressing, fmt.Sprintf("%s groups ready: %d/%d", text(role, "name"), have.ready, want)}
		case have.updated < want:
			return Verdict{Progressing, fmt.Sprintf("%s groups updated: %d/%d", text(role, "name"), have.updated, want)}
		}
	}
	if conditionOf(u.Object["status"], "Available") == nil {
		return Verdict{State: Ready}
	}
	return conditions(u, u.Object["status"], "Available")
}

// countsOf are what a DisaggregatedSet says of its roles, nil when it says nothing.
func countsOf(u *unstructured.Unstructured) (out map[string]count) {
	for _, role := range list(u.Object["status"], "roleStatuses") {
		if out == nil {
			out = map[string]count{}
		}
		out[text(role, "name")] = count{number(role, "readyReplicas", 0), number(role, "updatedReplicas", 0)}
	}
	return out
}

// countGroups are what the LeaderWorkerSets say. While there are two revisions, the fewest of a
// role's that are ready in one are taken for updated.
func countGroups(groups []*unstructured.Unstructured) (out map[string]count) {
	revisions := map[string]map[string]int64{}
	for _, u := range groups {
		role, ready := u.GetLabels()[roleLabel], number(u.Object["status"], "readyReplicas", 0)
		if out == nil {
			out = map[string]count{}
		}
		if number(u.Object["spec"], "replicas", 1) == 0 {
			continue // of a revision that is gone
		}
		if revisions[role] == nil {
			revisions[role] = map[string]int64{}
		}
		revisions[role][u.GetLabels()[revisionLabel]] += ready
		out[role] = count{ready: out[role].ready + ready}
	}
	for role, of := range revisions {
		least := int64(-1)
		for _, n := range of {
			if least < 0 || n < least {
				least = n
			}
		}
		out[role] = count{out[role].ready, least}
	}
	return out
}

// number is the whole number at a key of a mapping, or what it is where none is written.
func number(part any, key string, otherwise int64) int64 {
	m, _ := part.(map[string]any)
	n, _ := m[key].(int64)
	if m[key] == nil {
		return otherwise
	}
	return n
}
