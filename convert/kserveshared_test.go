package convert

import (
	"strings"
	"testing"

	"github.com/inferstack/inferstack/schema/document"
)

// TestKServeSharedPool has a service whose servers are for the pool of another, as in KServe's sample of two vendors.
func TestKServeSharedPool(t *testing.T) {
	const owner = `apiVersion: serving.kserve.io/v1alpha2
kind: LLMInferenceService
metadata: {name: nvidia, namespace: llm}
spec:
  model: {uri: "hf://a/b", name: a/b}
  router: {scheduler: {}, route: {}, gateway: {}}
  template: {containers: [{name: main, resources: {limits: {nvidia.com/gpu: "1"}}}]}
`
	const further = `apiVersion: serving.kserve.io/v1alpha2
kind: LLMInferenceService
metadata: {name: amd, namespace: llm}
spec:
  model: {uri: "hf://a/b", name: a/b}
  labels: {app.kubernetes.io/name: nvidia, app.kubernetes.io/part-of: llminferenceservice, kserve.io/component: workload}
  template: {containers: [{name: main, resources: {limits: {amd.com/gpu: "1"}}}]}
`
	const selector = "    selector:\n      llm-d.ai/pool: nvidia\n"
	for name, tc := range map[string]struct {
		input, says string
		selectors   int
	}{
		"both":           {owner + "---\n" + further, "info input.yaml:14:36: spec.labels[app.kubernetes.io/name]: the pool of nvidia finds the servers by the label llm-d.ai/pool", 2},
		"the other":      {further, "warning input.yaml:6:36: spec.labels[app.kubernetes.io/name]: the servers are for the pool of nvidia, which is not in the input", 1},
		"one of its own": {owner, "", 0},
	} {
		t.Run(name, func(t *testing.T) {
			docs, problems := document.Read("input.yaml", []byte(tc.input))
			if len(problems) > 0 {
				t.Fatal(problems)
			}
			r := checked(Convert(docs, Options{}))
			stacks := ""
			for _, line := range strings.SplitAfter(string(stacksYAML(r)), "\n") {
				if !strings.HasPrefix(strings.TrimSpace(line), "#") {
					stacks += line
				}
			}
			if strings.Count(stacks, selector) != tc.selectors || !strings.Contains(string(results(r.Problems)), tc.says) {
				t.Errorf("%s\n%s", stacks, results(r.Problems))
			}
		})
	}
}
