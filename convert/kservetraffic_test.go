package convert

import (
	"fmt"
	"strings"
	"testing"

	"github.com/inferstack/inferstack/schema/document"
)

// TestKServeTrafficGroup has services that share the requests of a model: each in the group is known,
// or the share is refused.
func TestKServeTrafficGroup(t *testing.T) {
	service := func(name, model, route string) string {
		return fmt.Sprintf(`apiVersion: serving.kserve.io/v1alpha2
kind: LLMInferenceService
metadata: {name: %s, namespace: llm}
spec:
  model: {uri: "hf://a/b", name: %s}
  router: {scheduler: {}, gateway: {}, route: {%s}}
  template: {containers: [{name: main, resources: {limits: {nvidia.com/gpu: "1"}}}]}
---
`, name, model, route)
	}
	const share, rest = "group: g, weight: 90", "group: g, weight: 10"
	const rules = ", http: {spec: {rules: [{matches: [{path: {type: PathPrefix, value: /v1}}], backendRefs: [{group: inference.networking.k8s.io, kind: InferencePool, name: one-inference-pool}]}]}}"
	for name, tc := range map[string]struct{ input, says, stacks string }{
		"both":          {service("one", "a/b", share) + service("two", "a/b", rest), "shares the requests for the model", "      - name: two-inference-pool\n        weight: 10\n"},
		"one":           {service("one", "a/b", share), "error input.yaml:6:55: spec.router.route.group: cannot be carried over: a share of the traffic between services of a group; put", ""},
		"two models":    {service("one", "a/b", share) + service("two", "a/c", rest), "services of two models, a/b and a/c", ""},
		"rules":         {service("one", "a/b", share+rules) + service("two", "a/b", rest), "in rules of the service's own", ""},
		"another group": {service("one", "a/b", share) + service("two", "a/b", "group: h, weight: 10"), "put the other services of the group", ""},
	} {
		t.Run(name, func(t *testing.T) {
			docs, problems := document.Read("input.yaml", []byte(tc.input))
			if len(problems) > 0 {
				t.Fatal(problems)
			}
			r := checked(Convert(docs, Options{}))
			if got := string(results(r.Problems)); !strings.Contains(got, tc.says) || (len(r.Problems.Errors()) == 0) != (tc.stacks != "") {
				t.Error(got)
			}
			if got := string(stacksYAML(r)); !strings.Contains(got, tc.stacks) {
				t.Error(got)
			}
		})
	}
}
