package policy

import (
	"fmt"
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

// TestStructRules has rules on whole structs and lists, whose errors CUE may not place, or wait with until
// there are more fields.
func TestStructRules(t *testing.T) {
	for text, want := range map[string]string{
		"import \"struct\"\n\n// Few.\nspec: decode: struct.MaxFields(1)\n":                  "spec.decode Few. 4",
		"import \"struct\"\n\n// Many.\nspec: struct.MinFields(4)\n":                         "spec Many. 4",
		"import \"struct\"\nif true {\n\t// Many.\n\tspec: decode: struct.MinFields(9)\n}\n": "spec.decode Many. 4",
		"import \"struct\"\n_many: struct.MinFields(9)\n// Many.\nspec: decode: _many\n":     "spec.decode Many. 4",
		"// Only.\nspec: decode: close({replicas: int})\n":                                   "spec.decode.args Only. 2",
		"#Decode: replicas: int\n// Only.\nspec: decode: #Decode\n":                          "spec.decode.args Only. 3",
		"import \"list\"\n// One.\nspec: decode: args: list.MaxItems(1)\n":                   "spec.decode.args One. 3",
		"// None.\nspec: decode: args: []\n":                                                 "spec.decode.args None. 2",
		"import \"struct\"\nspec: decode: struct.MinFields(2)\n":                             "",
	} {
		got := Judge(verdict.Request{Policies: []verdict.Policy{{File: "p.cue", Text: text}}, Stacks: []verdict.Subject{{Stack: []byte(stack), Policies: []int{0}}}})
		said := ""
		for _, v := range got.Violations[0] {
			said += fmt.Sprintf("%s %s %d", v.Path, v.Message, v.Line)
		}
		if said != want {
			t.Errorf("%s%s, want %s", text, said, want)
		}
	}
}

// TestImports has packages that run programs, read files or come from elsewhere.
func TestImports(t *testing.T) {
	for text, want := range map[string]bool{
		"import \"strings\"\nmetadata: name: strings.MinRunes(1)\n":                         true,
		"import l \"list\"\nspec: decode: args: l.MaxItems(9)\n":                            true,
		"import \"encoding/json\"\n_a: json.Marshal({})\n":                                  true,
		"import \"tool/exec\"\n_a: exec.Run & {cmd: \"ls\"}\n":                              false,
		"import f \"tool/file\"\n_a: f.Read & {filename: \"/etc/passwd\"}\n":                false,
		"import \"tool/http\"\n_a: http.Get & {url: \"http://example.com\"}\n":              false,
		"import \"example.com/x\"\n_a: x\n":                                                 false,
		"import \"./x\"\n_a: x\n":                                                           false,
		"@extern(embed)\n\npackage p\n\n_a: _ @embed(file=policy.go,type=text)\n":           false,
		"@extern(embed)\n\npackage p\n\n_a: _ @embed(file=\"/etc/passwd\",type=text)\n":     false,
		"import \"tool/cli\"\n\ncommand: a: cli.Print & {text: \"a\"}\nmetadata: name: _\n": false,
	} {
		got := Judge(verdict.Request{Policies: []verdict.Policy{{File: "p.cue", Text: text}}, Stacks: []verdict.Subject{{Stack: []byte(stack), Policies: []int{0}}}})
		if ok := len(got.Invalid) == 0; ok != want || ok && len(got.Violations[0]) > 0 {
			t.Errorf("%s%+v", text, got)
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
