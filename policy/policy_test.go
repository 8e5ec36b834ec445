package policy

import (
	"slices"
	"strings"
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
		"// Outer.\nspec: {\n\t// Inner\n\t// goes on.\n\tdecode: replicas: <2\n}\n":    {Violations: []verdict.Violation{{Path: "spec.decode.replicas", Message: "Inner goes on.", File: "p.cue", Line: 5}}},
		"// Outer.\nspec: decode: args: [...\"a\"]\n":                                   {Violations: []verdict.Violation{{Path: "spec.decode.args[1]", Message: "Outer.", File: "p.cue", Line: 2}}},
		"spec: decode: other: string\n":                                                 {Violations: []verdict.Violation{{Path: "spec.decode.other", Message: "must be set", File: "p.cue", Line: 1, Absent: []string{"spec", "decode", "other"}}}},
		"spec: decode: other?: string\n_own: 1\n#Own: a: 1\nlet own = 1\n_other: own\n": {},
		"spec: decode: replicas: own\n":                                                 {Invalid: []string{"p.cue:1:25: reference \"own\" not found"}},
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
		got.Names = nil
		if diff := cmp.Diff(each, got); diff != "" {
			t.Errorf("%s%s", text, diff)
		}
	}
}

// TestAbsent has each way to name a field that the stack has, has not, and need not have.
func TestAbsent(t *testing.T) {
	for text, want := range map[string][]string{
		"spec: decode: replicas!: 2":          nil,
		"spec: decode: replicas?: 2":          nil,
		"spec: decode!: {}":                   nil,
		"spec: decode: {...}":                 nil,
		"spec: decode: args: [...string]":     nil,
		"spec: a!: {b: bool}":                 {"spec.a.b"},
		"spec: a!: _":                         {"spec.a"},
		"spec: a: _":                          {"spec.a"},
		"spec: a!: b!: string":                {"spec.a.b"},
		"spec: a!: {b: 1}":                    {"spec.a.b"},
		"spec: a!: {b?: 1}":                   {"spec.a"},
		"spec: a: {b?: 1}":                    {"spec.a"},
		"spec: a: {...}":                      {"spec.a"},
		"spec: a: {}":                         {"spec.a"},
		"spec: a: [string]: int":              {"spec.a"},
		"spec: a: []":                         {"spec.a"},
		"spec: a: {b: 1} | {c: 1}":            {"spec.a"},
		"metadata: labels: {}":                {"metadata.labels"},
		"metadata: labels: \"a.b/c\": string": {`metadata.labels."a.b/c"`},
		"spec: a?: {b: 1, c!: 1}":             nil,
		"spec: a?: {...}":                     nil,
		"#A: {b!: int}\nspec: a: #A":          {"spec.a.b"},
		"metadata: name: string\nif metadata.name == \"a\" {spec: a!: _}": {"spec.a"},
		"metadata: name: string\nif metadata.name == \"b\" {spec: a!: _}": nil,
		"spec: list: [...{b!: int}]":                                      {"spec.list[0].b"},
		"spec: list: [...{b?: int, a: int}]":                              nil,
		"spec: list: [{a: 2, b: int}]":                                    {"spec.list[0].b"},
		"spec: decode: {replicas: <2, a: {}}":                             {"spec.decode.a"},
	} {
		with := `{"metadata": {"name": "a"}, "spec": {"decode": {"replicas": 2, "args": ["a"]}, "list": [{"a": 1}]}}`
		got := Judge(verdict.Request{Policies: []verdict.Policy{{File: "p.cue", Text: text}}, Stacks: []verdict.Subject{{Stack: []byte(with), Policies: []int{0}}}})
		var absent []string
		for _, list := range got.Violations {
			for _, v := range list {
				if len(v.Absent) > 0 {
					absent = append(absent, v.Path)
				}
			}
		}
		if diff := cmp.Diff(want, absent); diff != "" || len(got.Invalid) > 0 {
			t.Errorf("%s: %s%s", text, got.Invalid, diff)
		}
	}
}

// TestNames has each way to name a field, and names that are a policy's own.
func TestNames(t *testing.T) {
	for text, want := range map[string]string{
		"a?: _":                "a",
		"a: \"b.c\"!: 1":       "a a.b.c",
		"X=a: [...{b: X}]":     "a a.b",
		"if true {a: 1}":       "a",
		"if false {a: 1}":      "a",
		"a: {b: 1} | *{c: 1}":  "a a.b a.c",
		"a: ({b: 1}) & {c: 1}": "a a.b a.c",
		"#A: b?: 1\na: #A":     "a a.b",
		"_a: b: 1\n#b: c: 1\nlet d = {e: 1}\n_f: d": "",
		"a: {_b: 1, c: _b}":                         "a a.c",
		"(\"a\"): b: 1":                             "a a.b",
	} {
		got := Judge(verdict.Request{Policies: []verdict.Policy{{File: "p.cue", Text: text}}, Stacks: []verdict.Subject{{Stack: []byte("{}"), Policies: []int{0}}}})
		var names []string
		for _, n := range got.Names {
			names = append(names, strings.Join(n.Steps, "."))
		}
		slices.Sort(names)
		if diff := cmp.Diff(want, strings.Join(slices.Compact(names), " ")); diff != "" {
			t.Errorf("%s: %s%s", text, got.Invalid, diff)
		}
	}
}
