package policy

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/inferstack/inferstack/internal/verdict"
)

const stack = `{"metadata": {"name": "a", "namespace": "prod"}, "spec": {"decode": {"replicas": 2, "args": ["a", "b"]}}, "facts": {"images": ["b:1"]}}`

// TestJudge reads violations with the comment of the innermost field that has one.
func TestJudge(t *testing.T) {
	for text, want := range map[string]verdict.Answer{
		"spec: decode: replicas: 2\n": {},
		"// Outer.\nspec: {\n\t// Inner\n\t// goes on.\n\tdecode: replicas: <2\n}\n": {Violations: []verdict.Violation{{Path: "spec.decode.replicas", Message: "Inner goes on.", File: "p.cue", Line: 5}}},
		"// Outer.\nspec: decode: args: [...\"a\"]\n":                                {Violations: []verdict.Violation{{Path: "spec.decode.args[1]", Message: "Outer.", File: "p.cue", Line: 2}}},
		"spec: decode: other: string\n":                                              {Violations: []verdict.Violation{{Path: "spec.decode.other", Message: "must be set", File: "p.cue", Line: 1, Absent: true}}},
		"spec: decode: other?: string\nown: 1\n":                                     {},
		"spec: decode: replicas: own\n":                                              {Invalid: []string{"p.cue:1:25: reference \"own\" not found"}},
	} {
		got := Judge(verdict.Request{Policies: []verdict.Policy{{File: "p.cue", Text: text}}, Stack: []byte(stack)})
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s%s", text, diff)
		}
	}
}
