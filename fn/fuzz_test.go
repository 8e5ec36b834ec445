package fn

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"
)

// FuzzFunction feeds the function anything: it must not break down, must hand back
// items, and must never be silent about a failure.
func FuzzFunction(f *testing.F) {
	for _, input := range []string{
		resources("", small), resources(small, small), resources("", foreign, inFile(small, "a/stack.yaml")),
		resources("apiVersion: inferstack.dev/v1alpha1\nkind: Rewire\nmetadata:\n  name: r\n", foreign),
		resources("", strings.Replace(small, "name: llama", "name: llama\n  annotations: {config.kubernetes.io/path: ../x.yaml}", 1)),
		resources("", small+"  decode: {autoscaling: {type: keda, max: 4, targetRunningRequests: 8}}\n  prefill: {parallelism: {data: 2}}\n  monitoring: {}\n"),
		resources("", small+"  scheduler: {preset: precise-prefix}\n  kvCache: {redis: {index: true}}\n  networkPolicy: {}\n"),
		resources("", "apiVersion: llm-d.ai/v1alpha1\nkind: ModelService\nmetadata:\n  name: a\nspec:\n  modelArtifacts: {uri: \"hf://a/b\"}\n"),
		resources("", "apiVersion: sim.llm-d.io/v1alpha1\nkind: SimulatorDeployment\nmetadata:\n  name: a\nspec: {replicas: 2}\n"),
		resources("", "apiVersion: &a v1\nkind: ConfigMap\nmetadata: &m\n  name: *a\n  labels: {<<: {a: b}}\n"),
		resources(small + "  gateway: {class: istio}\n"), "kind: ResourceList\nitems: [1, null, [], {}, {kind: InferenceStack}]\n",
		"kind: ResourceList\nfunctionConfig: [x]\nitems: {}\n", "kind: ResourceList\nitems: &a [*a]\n",
		"kind: ResourceList\nitems:\n- kind: InferenceStack\n  metadata: 5\n", "kind: ResourceList\nmetadata: x\nitems:\n", "", "-", "0",
	} {
		f.Add(input)
	}
	f.Fuzz(func(t *testing.T, input string) {
		var out, errs bytes.Buffer
		start := time.Now()
		defer func() {
			if took := time.Since(start); took > 10*time.Second {
				t.Errorf("took %v", took)
			}
		}()
		code := run(nil, streams{strings.NewReader(input), &out, &errs})
		if code != exitOK && errs.Len() == 0 {
			t.Errorf("exit %d, silently", code)
		}
		if code == exitUsage {
			return
		}
		var l struct {
			Kind  string    `yaml:"kind"`
			Items yaml.Node `yaml:"items"`
		}
		if err := yaml.Unmarshal(out.Bytes(), &l); err != nil {
			t.Fatalf("%v in\n%s", err, out.String())
		}
		if l.Kind != "ResourceList" || l.Items.Kind != yaml.SequenceNode {
			t.Errorf("exit %d, no items in\n%s", code, out.String())
		}
	})
}
