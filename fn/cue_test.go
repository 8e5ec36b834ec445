package fn

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/inferstack/inferstack/internal/long"
)

const stackInCUE = `package stacks

_env: *"dev" | "prod" @tag(env,short=dev|prod)
_replicas: int | *1 @tag(replicas,type=int)

_base: {
	apiVersion: "inferstack.dev/v1alpha1"
	kind:       "InferenceStack"
	metadata: namespace: _env
	spec: model: name: "Qwen/Qwen3-0.6B"
	spec: decode: replicas: _replicas
}

stacks: qwen: _base & {metadata: name: "qwen"}
list: [if _env == "prod" {_base & {metadata: name: "llama"}}]
`

// TestCUE compiles what YAML would say, and reports each mistake at its file, line and field.
func TestCUE(t *testing.T) {
	const yaml = "apiVersion: inferstack.dev/v1alpha1\nkind: InferenceStack\nmetadata: {name: qwen, namespace: NS}\nspec:\n  model: {name: Qwen/Qwen3-0.6B}\n  decode: {replicas: N}\n"
	whole := "apiVersion: \"inferstack.dev/v1alpha1\"\nkind: \"InferenceStack\"\nmetadata: {name: \"qwen\", namespace: \"dev\"}\nspec: model: name: \"Qwen/Qwen3-0.6B\"\n"
	for name, c := range map[string]struct {
		file string
		more string // beside it
		tags []string
		want string // "" is what the YAML makes
		ns   string
		n    string
	}{
		"defaults":            {file: stackInCUE, ns: "dev", n: "1"},
		"the file itself":     {file: whole, ns: "dev", n: "1"},
		"a number":            {file: stackInCUE, tags: []string{"replicas=3"}, ns: "dev", n: "3"},
		"another file":        {file: stackInCUE, more: "package stacks\n_replicas: 2\n", ns: "dev", n: "2"},
		"another package":     {file: stackInCUE, more: "package other\n_replicas: 2\n", ns: "dev", n: "1"},
		"no package":          {file: whole, more: "nonsense: [\n", ns: "dev", n: "1"},
		"a library":           {file: "import \"strings\"\n" + whole + "spec: decode: replicas: len(strings.Split(\"a b\", \" \"))\n", ns: "dev", n: "2"},
		"a field":             {file: whole + "spec: decode: replica: 4\n", want: "stack.cue:5:15: spec.decode.replica: unknown field; did you mean \"replicas\"?"},
		"a field of another":  {file: stackInCUE, more: "package stacks\nstacks: qwen: spec: decode: replica: 4\n", want: "more.cue:2:29: spec.decode.replica: unknown field"},
		"a value":             {file: stackInCUE, tags: []string{"replicas=-1"}, want: "stack.cue:11:16: spec.decode.replicas: must be an integer"},
		"an element":          {file: whole + "spec: decode: args: [\n\t\"--a\",\n\t3,\n]\n", want: "stack.cue:7:2: spec.decode.args[1]: must be a string"},
		"open":                {file: whole + "spec: decode: replicas: int\n", want: "stack.cue:5:25: spec.decode.replicas: incomplete value int"},
		"a contradiction":     {file: whole + "spec: model: name: \"a/b\"\n", want: "stack.cue:5:20: spec.model.name: conflicting values"},
		"a disjunction":       {file: stackInCUE, tags: []string{"env=qa"}, want: "stack.cue:3:8: _env: conflicting values \"dev\" and \"qa\""},
		"no CUE":              {file: "a: [\n", want: "stack.cue:1:6: "},
		"no object":           {file: "a: 1\n", want: "stack.cue: no object in it"},
		"no reference":        {file: whole + "spec: decode: replicas: few\n", want: "stack.cue:5:25: spec.decode.replicas: reference \"few\" not found"},
		"bytes":               {file: whole + "spec: decode: args: ['a']\n", want: "cannot be said in a stack"},
		"a misspelt kind":     {file: strings.Replace(whole, "InferenceStack", "InferenceStak", 1), want: "stack.cue:2:1: kind: must be InferenceStack"},
		"an unknown tag":      {file: stackInCUE, tags: []string{"replica=2"}, want: "--tag replica=2: unknown tag; did you mean \"replicas\"?"},
		"a tag of no type":    {file: stackInCUE, tags: []string{"replicas=x"}, want: "--tag replicas=x: must be a number"},
		"a tag without value": {file: stackInCUE, tags: []string{"replicas"}, want: "--tag replicas: needs a value"},
		"no tags":             {file: whole, tags: []string{"a=b"}, want: "no field has an attribute @tag"},
		"a program":           {file: "import \"tool/exec\"\n" + whole, want: "stack.cue:1:8: tool/exec cannot be imported"},
		"a file":              {file: "@extern(embed)\n\npackage p\n\n" + whole + "_a: _ @embed(file=more.cue,type=text)\n", want: "stack.cue:1:1: @extern is not supported"},
		"a choice of files":   {file: "@if(dev)\n\npackage p\n\n" + whole, want: "stack.cue:1:1: @if is not supported"},
	} {
		t.Run(name, func(t *testing.T) {
			long.Case(t, 4)
			t.Chdir(t.TempDir())
			write(t, ".", map[string]string{"stack.cue": c.file, "more.cue": c.more})
			args := []string{"stack.cue"}
			for _, tag := range c.tags {
				args = append(args, "-t", tag)
			}
			for _, command := range []string{"render", "validate"} {
				got := call(t, "", append([]string{command}, args...)...)
				if c.want != "" {
					if got.code == exitOK || got.out != "" || !strings.Contains(got.errors, c.want) {
						t.Errorf("%s: exit %d, want %q in\n%s", command, got.code, c.want, got.errors)
					}
					continue
				}
				want := call(t, strings.NewReplacer("NS", c.ns, "N}", c.n+"}").Replace(yaml), "render", "-").out
				if got.code != exitOK || got.errors != "" || command == "render" && got.out != want {
					t.Errorf("%s: exit %d\n%s", command, got.code, got.errors)
				}
			}
		})
	}
}

// TestCommandsTakeCUE has each command that takes a stack take one in CUE; two of them with a tag.
func TestCommandsTakeCUE(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, ".", map[string]string{"stack.cue": stackInCUE, "policy.cue": "package stacks\n\n// Two.\nspec: decode: replicas: >=2\n"})
	if got := call(t, "", "render", "stack.cue", "-t", "prod"); strings.Count(got.out, "kind: InferencePool\n") < 2 || got.errors != "" {
		t.Error(got)
	}
	for _, args := range [][]string{{"check", "stack.cue"}, {"graph", "stack.cue"}, {"diff", "stack.cue", "stack.cue"}, {"render", "stack.cue", "-o", "deploy"}, {"render", "stack.cue", "--check", "deploy"}} {
		if got := call(t, "", args...); got.code != exitOK {
			t.Errorf("%v: %v", args, got)
		}
	}
	if got := call(t, "", "validate", "stack.cue"); got.code != exitError || !strings.Contains(got.errors, "stack.cue:11:16: spec.decode.replicas: Two. (") {
		t.Errorf("a policy beside it: %v", got)
	}
	write(t, ".", map[string]string{"wrong/wrong.cue": strings.Replace(stackInCUE, "decode: replicas:", "decode: replica:", 1)})
	for _, args := range [][]string{{"check", "wrong/wrong.cue"}, {"graph", "wrong/wrong.cue"}, {"diff", "wrong/wrong.cue", "stack.cue"}} {
		if got := call(t, "", args...); got.code == exitOK || !strings.Contains(got.out+got.errors, "replica: unknown field") {
			t.Errorf("%v: %v", args, got)
		}
	}
	for _, args := range [][]string{{"render", "x.yaml", "-t", "a=b"}, {"diff", "git:HEAD", "stack.cue"}, {"render", "none.cue"}} {
		if got := call(t, "", args...); got.code == exitOK || got.errors == "" {
			t.Errorf("%v: %v", args, got)
		}
	}
}

// TestHostileCUE never ends, or takes all memory.
func TestHostileCUE(t *testing.T) {
	usual := policyTime
	policyTime = time.Second / 2
	defer func() { policyTime = usual }()
	t.Chdir(t.TempDir())
	grows := "_a0: [1, 2, 3, 4, 5, 6, 7, 8]\n"
	for _, n := range []string{"1", "2", "3", "4", "5", "6"} {
		grows += "_a" + n + ": [for x in _a" + string(n[0]-1) + " for y in _a" + string(n[0]-1) + " {x}]\n"
	}
	deep := strings.Repeat("{a: ", 20000) + "1" + strings.Repeat("}", 20000)
	write(t, ".", map[string]string{"grows/grows.cue": grows + stackless + "spec: decode: args: _a6\n", "deep/deep.cue": stackless + "spec: decode: args: " + deep + "\n", "large/large.cue": strings.Repeat("// a\n", mostPolicy/5+1)})
	for _, file := range []string{"grows/grows.cue", "deep/deep.cue", "large/large.cue"} {
		if got := call(t, "", "validate", file); got.code == exitOK || !strings.Contains(got.errors, file) || len(got.errors) > 4000 {
			t.Errorf("%s: exit %d\n%.500s", file, got.code, got.errors)
		}
	}
	if err := os.Mkdir("dir.cue", 0o700); err != nil {
		t.Fatal(err)
	}
	if got := call(t, "", "validate", "dir.cue"); got.code == exitOK {
		t.Error(got)
	}
}

const stackless = "apiVersion: \"inferstack.dev/v1alpha1\"\nkind: \"InferenceStack\"\n"
