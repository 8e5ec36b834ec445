package status

import (
	"cmp"
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/inferstack/inferstack/internal/lists"
)

// conditions asks that all conditions of the given types in a part of a status are True.
// One that is missing, Unknown, pending or about an older generation is waited for; the
// first that is False, and says why, is what fails.
func conditions(u *unstructured.Unstructured, part any, types ...string) Verdict {
	return weigh(u, part, types...).Verdict
}

// A weighed verdict knows whether it follows from what another one says.
type weighed struct {
	Verdict
	follows bool
}

// follow are the reasons with which a condition of Gateway API 1.6 (gateway_types.go) only
// says that another one, or a listener's, is not True.
var follow = map[string]bool{"Invalid": true, "ListenersNotValid": true, "ListenersNotResolved": true, "ListenersNotReady": true}

func weigh(u *unstructured.Unstructured, part any, types ...string) weighed {
	out := weighed{Verdict: Verdict{State: Ready}}
	for _, t := range types {
		v := condition(u, part, t)
		out = out.or(weighed{v, v.State == Failing && follow[text(conditionOf(part, t), "reason")]})
	}
	return out
}

// or is the one of two verdicts that says more: the worse, or the cause of the other.
func (w weighed) or(other weighed) weighed {
	if worse(other.State, w.State) != w.State || other.State == w.State && w.follows && !other.follows {
		return other
	}
	return w
}

func condition(u *unstructured.Unstructured, part any, kind string) Verdict {
	c := conditionOf(part, kind)
	if c == nil {
		return Verdict{Progressing, kind + ": not reported yet"}
	}
	if seen, ok := c["observedGeneration"].(int64); ok && seen < u.GetGeneration() {
		return Verdict{Progressing, kind + ": the controller has not seen the last change yet"}
	}
	switch {
	case c["status"] == "True":
		return Verdict{State: Ready}
	case c["status"] == "Unknown", waits[text(c, "reason")]:
		return Verdict{Progressing, kind + ": " + cmp.Or(because(c), "not known yet")}
	}
	return Verdict{Failing, kind + ": " + cmp.Or(because(c), "not so, and no reason given")}
}

// waits are the reasons with which a controller says that it has not got there yet: of
// Gateway API 1.6 (gateway_types.go), and of an autoscaler that a user turned off.
var waits = map[string]bool{"Pending": true, "AddressNotAssigned": true, "ScalingDisabled": true}

// because is the reason and the message of a condition or of a container's state.
func because(c map[string]any) string {
	reason, message := text(c, "reason"), text(c, "message")
	switch {
	case message == "":
		return reason
	case reason == "":
		return message
	}
	return reason + ": " + message
}

func text(m map[string]any, key string) string {
	s, _ := m[key].(string)
	return s
}

// list is the mappings in the list at a key of a mapping.
func list(part any, key string) (out []map[string]any) {
	m, _ := part.(map[string]any)
	items, _ := m[key].([]any)
	for _, item := range items {
		if m, ok := item.(map[string]any); ok {
			out = append(out, m)
		}
	}
	return out
}

// conditionOf is the condition of a type in a part of a status, or nil.
func conditionOf(part any, kind string) map[string]any {
	return lists.First(list(part, "conditions"), func(m map[string]any) bool { return m["type"] == kind })
}

// leaderWorkerSet asks for the conditions of LeaderWorkerSet 0.7 and for all groups.
func leaderWorkerSet(u *unstructured.Unstructured) Verdict {
	want, given, _ := unstructured.NestedInt64(u.Object, "spec", "replicas")
	if !given {
		want = 1
	}
	ready, _, _ := unstructured.NestedInt64(u.Object, "status", "readyReplicas")
	updated, _, _ := unstructured.NestedInt64(u.Object, "status", "updatedReplicas")
	switch {
	case ready < want:
		return Verdict{Progressing, fmt.Sprintf("groups ready: %d/%d", ready, want)}
	case updated < want:
		return Verdict{Progressing, fmt.Sprintf("groups updated: %d/%d", updated, want)}
	}
	return conditions(u, u.Object["status"], "Available")
}
