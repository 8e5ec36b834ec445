package rules

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/inferstack/inferstack/schema"
	"github.com/inferstack/inferstack/schema/document"
)

const ruleInput = `apiVersion: inferstack.dev/v1alpha1
kind: InferenceStack
metadata: {name: demo}
spec:
  model: {name: m}
  decode:
    replicas: REPLICAS
  gateway: {class: envoy}
`

// refuseAll says something on three places: a written field, one that is absent
// and one in a section of its own.
func refuseAll(s stack) []schema.Problem {
	return []schema.Problem{
		s.Problem(schema.Error, "spec.decode.replicas", "too many"),
		s.Problem(schema.Warning, "spec.decode.parallelism.tensor", "odd"),
		s.Problem(schema.Error, "spec.gateway.class", "no"),
	}
}

// only makes rules of checks.
func only(finds ...rule) []Rule {
	var out []Rule
	for _, find := range finds {
		out = append(out, Rule{find: find})
	}
	return out
}

func TestRules(t *testing.T) {
	for _, tc := range []struct{ name, replicas, want string }{
		{"sound", "2", `
f:6:3: spec.decode.parallelism.tensor: odd
f:7:15: spec.decode.replicas: too many
f:8:20: spec.gateway.class: no`},
		{"rules are silent on a bad field, not beside it", "-1", `
f:6:3: spec.decode.parallelism.tensor: odd
f:7:15: spec.decode.replicas: must be an integer from 0 to 10000 (got -1)
f:8:20: spec.gateway.class: no`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			docs, _ := document.Read("f", []byte(strings.Replace(ruleInput, "REPLICAS", tc.replicas, 1)))
			s, ps := parse(docs[0].Node, docs[0].Source, only(refuseAll))
			if s != nil {
				t.Error("a stack in spite of errors")
			}
			want := strings.Split(strings.TrimSpace(tc.want), "\n")
			if d := cmp.Diff(want, strings.Split(ps.Error(), "\n")); d != "" {
				t.Error(d)
			}
		})
	}
}

// TestRuleIDs holds the table to what people rely on.
func TestRuleIDs(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range All() {
		if seen[r.ID] || !strings.HasPrefix(r.ID, "stack-") {
			t.Errorf("%s: not unique, or without the prefix stack-", r.ID)
		}
		seen[r.ID] = true
		if len(r.Doc) < 30 || r.Severity == "" {
			t.Errorf("%s: has no documentation or severity", r.ID)
		}
	}
}

// TestWrongValueHidesNothing: each of several mistakes in one section is reported.
func TestWrongValueHidesNothing(t *testing.T) {
	const head = "apiVersion: inferstack.dev/v1alpha1\nkind: InferenceStack\nmetadata: {name: demo}\nspec:\n  model: {name: m}\n"
	for decode, want := range map[string][]string{
		"{replicas: -1, autoscaling: {max: 1, min: 5}, disruptionBudget: {}}": {
			"spec.decode.autoscaling", "spec.decode.autoscaling.min", "spec.decode.disruptionBudget", "spec.decode.replicas",
		},
	} {
		docs, _ := document.Read("f", []byte(head+"  decode: "+decode+"\n"))
		_, problems := Parse(docs[0].Node, docs[0].Source)
		for _, path := range want {
			if !slices.ContainsFunc(problems, func(p schema.Problem) bool { return p.Path == path }) {
				t.Errorf("%s: nothing at %s in\n%v", decode, path, problems)
			}
		}
	}
}
