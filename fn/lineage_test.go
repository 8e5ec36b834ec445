package fn

import (
	"strings"
	"testing"

	"github.com/inferstack/inferstack/internal/long"
)

// TestMistakesAreWhereTheyWereWritten makes one mistake in each of the texts that a stack can be made of,
// and looks for it where the overlay is built, and where it is only read.
func TestMistakesAreWhereTheyWereWritten(t *testing.T) {
	spec := "  server:\n    env: [{name: A, value: \"1\"}, {name: B, value: \"2\"}]\n"
	head := strings.TrimSuffix(overlayPatch, "  decode:\n    replicas: ")
	for name, c := range map[string]struct{ base, patches, want string }{
		"in the base":            {small + "  decode: {replicas: -1}\n", "- target: {kind: InferenceStack}\n  patch: |\n    - {op: add, path: /spec/decode/serviceAccountName, value: a}\n", "base/stack.yaml:13:22: spec.decode.replicas: "},
		"in a file":              {small, "- {path: patch.yaml, target: {kind: InferenceStack}}\n", "over/patch.yaml:7:15: spec.decode.replicas: "},
		"in an entry of a list":  {small + spec, "- {path: env.yaml, target: {kind: InferenceStack}}\n", "over/env.yaml:9:13: spec.server.env[0].valu: unknown field"},
		"in a patch in place":    {small, "- target: {kind: InferenceStack}\n  patch: |-\n    - op: add\n      path: /spec/decode\n      value:\n        replicas: -2\n", "over/kustomization.yaml:8: spec.decode.replicas: "},
		"in a quoted patch":      {small, "- target: {kind: InferenceStack}\n  patch: '[{\"op\": \"add\", \"path\": \"/spec/decode\", \"value\": {\"replicas\": -2}}]'\n", "over/kustomization.yaml:4: spec.decode.replicas: "},
		"in the last of patches": {small, "- {path: patch.yaml, target: {kind: InferenceStack}}\n- {path: again.yaml, target: {kind: InferenceStack}}\n", "over/again.yaml:7:15: spec.decode.replicas: "},
		"by removal":             {small, "- target: {kind: InferenceStack}\n  patch: '[{\"op\": \"remove\", \"path\": \"/spec/model/name\"}]'\n", "base/stack.yaml: spec.model.name: "},
	} {
		t.Run(name, func(t *testing.T) {
			long.Case(t, 3)
			t.Chdir(t.TempDir())
			write(t, ".", map[string]string{
				"base/kustomization.yaml":  "resources: [stack.yaml]\n",
				"base/stack.yaml":          asFunction(t, c.base),
				"over/kustomization.yaml":  "resources: [../base]\npatches:\n" + c.patches,
				"over/patch.yaml":          overlayPatch + "-2\n",
				"over/again.yaml":          overlayPatch + "-3\n",
				"over/env.yaml":            head + "  server:\n    env:\n    - name: B\n      valu: x\n",
				"built/kustomization.yaml": "generators: [../over]\n",
			})
			for _, args := range [][]string{{"validate", "over"}, {"validate", "."}, {"check", "over"}, {"build", "built"}, {"diff", "base", "over"}} {
				got := call(t, "", args...)
				text := got.out + got.errors
				if got.code == exitOK || !strings.Contains(text, c.want) && !strings.Contains(strings.ReplaceAll(text, ": error: ", ": "), c.want) {
					t.Errorf("%v: want %q in\n%s", args, c.want, text)
				}
				if !strings.Contains(text, "(InferenceStack inference/llama of base/stack.yaml, patched by over/") && args[0] != "diff" {
					t.Errorf("%v: no names in\n%s", args, text)
				}
			}
		})
	}
}
