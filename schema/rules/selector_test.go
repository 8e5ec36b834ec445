package rules

import (
	"strings"
	"testing"

	"github.com/inferstack/inferstack/schema/document"
)

// TestRoleSelector has selectors of workloads that were there before the stack.
func TestRoleSelector(t *testing.T) {
	const stack = "apiVersion: inferstack.dev/v1alpha1\nkind: InferenceStack\nmetadata: {name: a, namespace: b}\nspec:\n  model: {name: m/n}\n"
	const pool = "  pool: {selector: {team: x}}\n"
	for name, tc := range map[string]struct{ spec, says string }{
		"alone":                        {"  decode: {selector: {app: a}}\n", "spec.decode.selector: needs spec.pool.selector"},
		"with the pool's":              {pool + "  decode: {selector: {app: a}}\n", ""},
		"of both":                      {pool + "  decode: {selector: {app: a, role: d}}\n  prefill: {selector: {app: a, role: p}}\n", ""},
		"of one":                       {pool + "  decode: {selector: {app: a}}\n  prefill: {}\n", ""},
		"the same":                     {pool + "  decode: {selector: {app: a}}\n  prefill: {selector: {app: a}}\n", "spec.decode.selector: selects the pods of spec.prefill too"},
		"a part":                       {pool + "  decode: {selector: {app: a}}\n  prefill: {selector: {app: a, role: p}}\n", "spec.decode.selector: selects the pods of spec.prefill too"},
		"labels of all":                {pool + "  server: {podLabels: {app: a}}\n  decode: {selector: {app: a}}\n  prefill: {}\n", "spec.decode.selector: selects the pods of spec.prefill too"},
		"labels of the pool":           {pool + "  decode: {selector: {team: x}}\n  prefill: {}\n", "spec.decode.selector: selects the pods of spec.prefill too"},
		"with variants":                {pool + "  decode: {selector: {app: a}, variants: [{name: v}, {name: w, args: [--x]}]}\n", "spec.decode.selector: cannot be beside spec.decode.variants"},
		"of the EPP":                   {"  scheduler: {selector: {inferencepool: a-epp}}\n", ""},
		"of the EPP's pods, otherwise": {"  scheduler: {selector: {app: e}, podLabels: {app: f}}\n", "spec.scheduler.podLabels.app: must be \"e\""},
		"of the EPP, as the servers'":  {"  server: {podLabels: {app: e}}\n  scheduler: {selector: {app: e}}\n", "spec.scheduler.selector: selects the pods of spec.decode too"},
		"of the EPP, as all":           {"  scheduler: {selector: {app.kubernetes.io/part-of: llm-d}}\n", "spec.scheduler.selector: selects the pods of spec.decode too"},
		"over nodes":                   {pool + "  decode: {selector: {app: a}, parallelism: {tensor: 8, nodes: 2}}\n", "spec.decode.selector: cannot be used where one copy of the model is spread over several nodes"},
	} {
		t.Run(name, func(t *testing.T) {
			docs, problems := document.Read("a.yaml", []byte(stack+tc.spec))
			if len(problems) > 0 {
				t.Fatal(problems)
			}
			_, found := Parse(docs[0].Node, docs[0].Source)
			var said []string
			for _, p := range found.Errors() {
				said = append(said, p.Path+": "+p.Message)
			}
			if all := strings.Join(said, "\n"); tc.says == "" && all != "" || !strings.Contains(all, tc.says) {
				t.Errorf("says %q, not %q", all, tc.says)
			}
		})
	}
}
