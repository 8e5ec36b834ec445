package status

import (
	"cmp"
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// gateway asks for the conditions of the Gateway and of each listener (Gateway API 1.6
// apis/v1/gateway_types.go).
func gateway(u *unstructured.Unstructured) Verdict {
	if len(list(u.Object["status"], "conditions")) == 0 {
		class, _, _ := unstructured.NestedString(u.Object, "spec", "gatewayClassName")
		return Verdict{Progressing, fmt.Sprintf("no controller has taken it; is one for GatewayClass %s running?", class)}
	}
	verdict := weigh(u, u.Object["status"], "Accepted", "Programmed")
	for _, l := range list(u.Object["status"], "listeners") {
		v := weigh(u, l, "Accepted", "ResolvedRefs", "Programmed")
		if c := conditionOf(l, "Conflicted"); c != nil && c["status"] == "True" {
			v = weighed{Verdict: Verdict{Failing, "Conflicted: " + because(c)}}
		}
		v.Reason = fmt.Sprintf("listener %s: %s", text(l, "name"), v.Reason)
		verdict = verdict.or(v)
	}
	return verdict.Verdict
}

// untaken is the message on a Gateway or parent without a status.
func untaken(name string) Verdict {
	return Verdict{Progressing, fmt.Sprintf("gateway %s has not taken it; is the gateway there, and does a listener admit this namespace?", name)}
}

// route asks every Gateway that the route names (httproute_types.go).
func route(u *unstructured.Unstructured) Verdict {
	verdict := Verdict{State: Ready}
	for _, ref := range list(u.Object["spec"], "parentRefs") {
		name := text(ref, "name")
		v := untaken(name)
		for _, p := range list(u.Object["status"], "parents") {
			if parent, _ := p["parentRef"].(map[string]any); sameParent(u, ref, parent) {
				if v = conditions(u, p, "Accepted", "ResolvedRefs"); v.State != Ready {
					v.Reason = fmt.Sprintf("gateway %s: %s", name, v.Reason)
				}
			}
		}
		if worse(v.State, verdict.State) != verdict.State {
			verdict = v
		}
	}
	return verdict
}

// sameParent compares two references from one route.
func sameParent(u *unstructured.Unstructured, a, b map[string]any) bool {
	in := func(ref map[string]any) string { return cmp.Or(text(ref, "namespace"), u.GetNamespace()) }
	return text(a, "name") == text(b, "name") && in(a) == in(b) && text(a, "sectionName") == text(b, "sectionName")
}

// pool asks every Gateway that has the pool behind it (Gateway API Inference Extension
// 1.5 api/v1/inferencepool_types.go). A pool that no route refers to is asked for by
// nobody: an EnvoyFilter or a proxy without a controller leads to it, or only the EPP.
func pool(u *unstructured.Unstructured, routed bool) Verdict {
	verdict, parents := Verdict{State: Ready}, 0
	for _, p := range list(u.Object["status"], "parents") {
		ref, _ := p["parentRef"].(map[string]any)
		if text(ref, "kind") == "Status" { // a placeholder until a controller comes
			continue
		}
		parents++
		v := conditions(u, p, "Accepted")
		if c := conditionOf(p, "ResolvedRefs"); c != nil && v.State == Ready {
			v = conditions(u, p, "ResolvedRefs")
		}
		if worse(v.State, verdict.State) != verdict.State {
			verdict = Verdict{v.State, fmt.Sprintf("gateway %s: %s", text(ref, "name"), v.Reason)}
		}
	}
	if parents == 0 && routed {
		return Verdict{Progressing, "no gateway has taken it; does the controller support InferencePool, and is the support turned on?"}
	}
	return verdict
}

// routedPools are the pools, as namespace/name, that the routes send requests to.
func routedPools(objects []*unstructured.Unstructured) map[string]bool {
	out := map[string]bool{}
	for _, u := range objects {
		if u.GetKind() != "HTTPRoute" {
			continue
		}
		for _, rule := range list(u.Object["spec"], "rules") {
			for _, ref := range list(rule, "backendRefs") {
				if text(ref, "kind") == "InferencePool" {
					out[cmp.Or(text(ref, "namespace"), u.GetNamespace())+"/"+text(ref, "name")] = true
				}
			}
		}
	}
	return out
}
