package fn

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/cel-go/cel"
	sigsyaml "sigs.k8s.io/yaml"
)

// A fluxKustomization is what is tested of a Kustomization of Flux.
type fluxKustomization struct {
	Kind string
	Spec struct {
		SourceRef    struct{ Kind, Name string }
		HealthChecks []struct {
			APIVersion            string `json:"apiVersion"`
			Kind, Name, Namespace string
		}
		HealthCheckExprs []healthExpr
	}
}

type healthExpr struct {
	APIVersion            string `json:"apiVersion"`
	Kind, Current, Failed string
}

// fluxRoad reads what Flux is given.
func fluxRoad(t *testing.T) fluxKustomization {
	t.Helper()
	for _, o := range objectsIn(t, readText(t, filepath.Join(gitops, "flux/cluster/qwen.yaml"))) {
		if o["kind"] == "Kustomization" {
			var k fluxKustomization
			text, err := sigsyaml.Marshal(o)
			if err == nil {
				err = sigsyaml.Unmarshal(text, &k)
			}
			if err != nil {
				t.Fatal(err)
			}
			return k
		}
	}
	t.Fatal("no Kustomization")
	return fluxKustomization{}
}

func TestFluxChecksWhatIsMade(t *testing.T) {
	made := byID(objectsIn(t, call(t, "", "render", filepath.Join(gitops, "flux/stack.yaml")).out))
	k := fluxRoad(t)
	exprs := map[string]bool{}
	for _, e := range k.Spec.HealthCheckExprs {
		exprs[e.APIVersion+"/"+e.Kind] = true
	}
	for _, c := range k.Spec.HealthChecks {
		if made[strings.Join([]string{c.APIVersion, c.Kind, c.Namespace, c.Name}, "/")] == nil {
			t.Errorf("the stack has no %s %s %s/%s", c.APIVersion, c.Kind, c.Namespace, c.Name)
		}
		if c.Kind != "Deployment" && !exprs[c.APIVersion+"/"+c.Kind] {
			t.Errorf("no expression says when a %s is healthy", c.Kind)
		}
	}
}

var fluxStates = []struct {
	kind, status    string
	current, failed bool
}{
	{"InferencePool", `{}`, false, false},
	{"InferencePool", `{parents: [{parentRef: {name: gw}}]}`, false, false},
	{"InferencePool", `{parents: [{conditions: [{type: Accepted, status: "True"}, {type: ResolvedRefs, status: "True"}]}]}`, true, false},
	{"InferencePool", `{parents: [{conditions: [{type: Accepted, status: "True"}, {type: ResolvedRefs, status: "False"}]}]}`, true, true},
	{"Gateway", `{conditions: [{type: Accepted, status: "True"}, {type: Programmed, status: Unknown}]}`, false, false},
	{"Gateway", `{conditions: [{type: Accepted, status: "True"}, {type: Programmed, status: "True"}]}`, true, false},
	{"Gateway", `{conditions: [{type: Accepted, status: "False"}]}`, false, true},
	{"HTTPRoute", `{parents: []}`, false, false},
	{"HTTPRoute", `{parents: [{conditions: [{type: Accepted, status: "True"}]}]}`, true, false},
	{"HTTPRoute", `{parents: [{conditions: [{type: ResolvedRefs, status: "False"}]}]}`, false, true},
	{"LeaderWorkerSet", `{conditions: [{type: Progressing, status: "True"}]}`, false, false},
	{"LeaderWorkerSet", `{conditions: [{type: Available, status: "True"}]}`, true, false},
}

// TestFluxHealthExpressions evaluates them as Flux does: it asks failed before current.
func TestFluxHealthExpressions(t *testing.T) {
	exprs := map[string]healthExpr{}
	for _, e := range fluxRoad(t).Spec.HealthCheckExprs {
		exprs[e.Kind] = e
	}
	for _, state := range fluxStates {
		var status map[string]any
		if err := sigsyaml.Unmarshal([]byte(state.status), &status); err != nil {
			t.Fatal(err)
		}
		e := exprs[state.kind]
		if got := evaluate(t, e.Current, status); got != state.current {
			t.Errorf("%s %s: current is %v", state.kind, state.status, got)
		}
		if got := e.Failed != "" && evaluate(t, e.Failed, status); got != state.failed {
			t.Errorf("%s %s: failed is %v", state.kind, state.status, got)
		}
	}
}

func evaluate(t *testing.T, expression string, status map[string]any) bool {
	t.Helper()
	env, err := cel.NewEnv(cel.Variable("status", cel.DynType))
	if err != nil {
		t.Fatal(err)
	}
	ast, issues := env.Compile(expression)
	if issues.Err() != nil {
		t.Fatal(issues.Err())
	}
	program, err := env.Program(ast)
	if err != nil {
		t.Fatal(err)
	}
	value, _, err := program.Eval(map[string]any{"status": status})
	if err != nil {
		t.Fatalf("%s over %v: %v", expression, status, err)
	}
	return value.Value() == true
}
