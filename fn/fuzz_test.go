package main

import (
	"bytes"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// FuzzFunction feeds the function anything: it must not break down, must hand back
// items, and must never be silent about a failure.
func FuzzFunction(f *testing.F) {
	for _, input := range []string{
		resources("", small), resources(small, small), resources("", foreign, inFile(small, "a/stack.yaml")),
		resources("apiVersion: inferstack.dev/v1alpha1\nkind: Rewire\nmetadata:\n  name: r\n", foreign),
		resources(small + "  gateway: {class: istio}\n"), "kind: ResourceList\nitems: [1, null, [], {}, {kind: InferenceStack}]\n",
		"kind: ResourceList\nfunctionConfig: [x]\nitems: {}\n", "kind: ResourceList\nitems: &a [*a]\n",
		"kind: ResourceList\nitems:\n- kind: InferenceStack\n  metadata: 5\n", "kind: ResourceList\nmetadata: x\nitems:\n", "", "-", "0",
	} {
		f.Add(input)
	}
	f.Fuzz(func(t *testing.T, input string) {
		var out, errs bytes.Buffer
		code := run(nil, streams{strings.NewReader(input), &out, &errs})
		if code != exitOK && errs.Len() == 0 {
			t.Errorf("exit %d without a word", code)
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
