package schema

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
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
func refuseAll(s *Stack) []Problem {
	return []Problem{
		s.Problem(Error, "spec.decode.replicas", "too many"),
		s.Problem(Warning, "spec.decode.parallelism.tensor", "odd"),
		s.Problem(Error, "spec.gateway.class", "no"),
	}
}

func TestRules(t *testing.T) {
	for _, tc := range []struct{ name, replicas, want string }{
		{"sound", "2", `
f:6:3: spec.decode.parallelism.tensor: odd
f:7:15: spec.decode.replicas: too many
f:8:20: spec.gateway.class: no`},
		{"rules are silent beside a bad field", "-1", `
f:7:15: spec.decode.replicas: must be an integer from 0 to 10000 (got -1)
f:8:20: spec.gateway.class: no`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			docs, _ := Read("f", []byte(strings.Replace(ruleInput, "REPLICAS", tc.replicas, 1)))
			s, ps := parse(docs[0].Node, docs[0].Source, []rule{refuseAll})
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
