package growth

import (
	"fmt"
	"strings"
)

// A Shape is a kind of input.
type Shape struct {
	Name string
	// Make writes an input of about n objects.
	Make func(n int) string
}

// Stacks are InferenceStacks, which render and validate read. The other commands are given
// what they render to.
var Stacks = []Shape{
	{"stacks in one namespace", func(n int) string { return stacks(n, func(int) string { return "llm-d" }) }},
	{"a namespace a stack", func(n int) string { return stacks(n, func(i int) string { return fmt.Sprintf("llm-d-%05d", i) }) }},
}

// Manifests are objects as anybody writes them. In those of which each has its own, a
// selector takes one workload; in the others it takes all.
var Manifests = []Shape{
	{"pools and Deployments", func(n int) string { return each(n/2, own, pool, deployment) }},
	{"pools over the same Deployments", func(n int) string { return each(n/2, same, pool, deployment) }},
	{"Services and Deployments", func(n int) string { return each(n/2, own, service, deployment) }},
	{"Services over the same Deployments", func(n int) string { return each(n/2, same, service, deployment) }},
	{"NetworkPolicies and Deployments", func(n int) string { return each(n/2, own, policy, deployment) }},
	{"NetworkPolicies over the same Deployments", func(n int) string { return each(n/2, same, policy, deployment) }},
	{"NetworkPolicies around a pool", func(n int) string { return picker + each(n/2, same, policy, deployment) }},
	{"routes of one Gateway to a pool", func(n int) string { return picker + gateway + each(n, same, route) }},
	{"routes of one Gateway to Services", func(n int) string { return gateway + each(n/3, own, serviceRoute, service, deployment) }},
	{"ServiceMonitors and Services", func(n int) string { return each(n/2, same, monitor, service) }},
	{"references that arrive nowhere", func(n int) string { return each(n/2, own, lost, near) }},
	{"prefill and decode in one pool", func(n int) string { return picker + each(n/2, same, prefill, decode) }},
}

// UnknownKeys is a stack with n unknown fields.
func UnknownKeys(n int) string {
	var out strings.Builder
	out.WriteString("apiVersion: inferstack.dev/v1alpha1\nkind: InferenceStack\nmetadata: {name: a, namespace: b}\nspec:\n  model: {name: org/model}\n  decode:\n")
	for i := range n {
		fmt.Fprintf(&out, "    replicaz%05d: 1\n", i)
	}
	return out.String()
}

// own and same are the label by which the i-th object selects.
func own(i int) string { return fmt.Sprintf("app: own-%05d", i) }
func same(int) string  { return "of: all" }

func each(n int, label func(i int) string, templates ...string) string {
	var out strings.Builder
	for i := range n {
		replace := strings.NewReplacer("NAME", fmt.Sprintf("own-%05d", i), "LABEL", label(i))
		for _, t := range templates {
			_, _ = replace.WriteString(&out, t)
		}
	}
	return out.String()
}

func stacks(n int, namespace func(i int) string) string {
	var out strings.Builder
	for i := range n {
		_, _ = strings.NewReplacer("NAMESPACE", namespace(i), "NAME", fmt.Sprintf("qwen-%05d", i)).WriteString(&out, stack)
	}
	return out.String()
}
