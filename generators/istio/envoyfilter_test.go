package istio

import (
	"encoding/json"
	"testing"

	"github.com/inferstack/inferstack/generators/internal/stacktest"
	"github.com/inferstack/inferstack/internal/apis"
)

func TestNoEnvoyFilter(t *testing.T) {
	for name, spec := range map[string]string{
		"no gateway":          "model: {name: m}",
		"Istio knows pools":   "model: {name: m}\ngateway: {class: istio}",
		"bypass":              "model: {name: m}\ngateway: {class: istio, extProc: envoyFilter}\nroute: {backend: service}",
		"route made by hand":  "model: {name: m}\ngateway: {class: istio, extProc: envoyFilter}\nroute: {enabled: false}",
		"gateway not Istio's": "model: {name: m}\ngateway: {class: agentgateway}",
	} {
		if got := EnvoyFilters(stacktest.Parse(t, spec)); len(got) > 0 {
			t.Errorf("%s: %s", name, stacktest.TextOf(t, got[0]))
		}
	}
}

// Two stacks behind one gateway must not share a cluster or filter name.
func TestEnvoyFilterOfTwoStacks(t *testing.T) {
	const spec = "  model: {name: m}\n  gateway: {class: istio, existing: true, name: g, namespace: edge, extProc: envoyFilter}\n"
	const head = "apiVersion: inferstack.dev/v1alpha1\nkind: InferenceStack\nmetadata: {namespace: llm, name: "
	seen := map[string]string{}
	for _, stack := range []string{"one", "two"} {
		s := stacktest.ParseDocument(t, head+stack+"}\nspec:\n"+spec)
		filter := stacktest.OfType[*apis.EnvoyFilter](EnvoyFilters(s))[0]
		names := []string{filter.Name}
		for _, p := range filter.Spec.ConfigPatches {
			var value struct{ Name string }
			data, _ := json.Marshal(p.Patch.Value)
			if err := json.Unmarshal(data, &value); err != nil {
				t.Fatal(err)
			}
			names = append(names, value.Name)
		}
		for _, n := range names {
			if n != "" && seen[n] != "" && seen[n] != stack {
				t.Errorf("%s is a name of stack %s and of %s", n, seen[n], stack)
			}
			seen[n] = stack
		}
	}
}
