package policy

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/inferstack/inferstack/internal/verdict"
)

const stack = `{"metadata": {"name": "a", "namespace": "prod"}, "spec": {"decode": {"replicas": 2, "args": ["a", "b"]}}, "facts": {"images": ["b:1"]}}`

// TestJudge reads violations with the comment of the innermost field that has one.
func TestJudge(t *testing.T) {
	for text, want := range map[string]struct {
		Violations []verdict.Violation
		Invalid    []string
	}{
		"spec: decode: replicas: 2\n": {},
		"// Outer.\nspec: {\n\t// Inner\n\t// goes on.\n\tdecode: replicas: <2\n}\n": {Violations: []verdict.Violation{{Path: "spec.decode.replicas", Message: "Inner goes on.", File: "p.cue", Line: 5}}},
		"// Outer.\nspec: decode: args: [...\"a\"]\n":                                {Violations: []verdict.Violation{{Path: "spec.decode.args[1]", Message: "Outer.", File: "p.cue", Line: 2}}},
		"spec: decode: other: string\n":                                              {Violations: []verdict.Violation{{Path: "spec.decode.other", Message: "must be set", File: "p.cue", Line: 1, Absent: true}}},
		"spec: decode: other?: string\nown: 1\n":                                     {},
		"spec: decode: replicas: own\n":                                              {Invalid: []string{"p.cue:1:25: reference \"own\" not found"}},
	} {
		subject := verdict.Subject{Stack: []byte(stack), Policies: []int{1}}
		got := Judge(verdict.Request{
			Policies: []verdict.Policy{{File: "other.cue", Text: "spec: decode: replicas: 1"}, {File: "p.cue", Text: text}},
			Stacks:   []verdict.Subject{{Stack: []byte(stack)}, subject, subject},
		})
		each := verdict.Answer{Violations: [][]verdict.Violation{nil, want.Violations, want.Violations}}
		if want.Invalid != nil {
			each = verdict.Answer{Invalid: want.Invalid}
		}
		if diff := cmp.Diff(each, got); diff != "" {
			t.Errorf("%s%s", text, diff)
		}
	}
}
