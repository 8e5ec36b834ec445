package fn

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/inferstack/inferstack/internal/long"
)

// Resources of another system, as its users have them in Git.
const (
	simulator = "apiVersion: sim.llm-d.io/v1alpha1\nkind: SimulatorDeployment\nmetadata:\n  name: sim\n  namespace: llm-d-sim\nspec:\n  epp:\n    enabled: true\n"
	misspelt  = "apiVersion: sim.llm-d.io/v1alpha1\nkind: SimulatorDeployment\nmetadata:\n  name: sim\nspec:\n  replica: 2\n"
)

func TestRenderTakesOtherSystems(t *testing.T) {
	inputs, err := filepath.Glob("../testdata/convert/*/*/input.yaml")
	if err != nil || len(inputs) == 0 {
		t.Fatal("no inputs", err)
	}
	for i, input := range inputs {
		if !long.Part(i, 24) {
			continue
		}
		t.Run(input, func(t *testing.T) {
			direct := call(t, "", "render", input)
			converted := call(t, call(t, "", "convert", input).out, "render", "-")
			if direct.code != 0 || converted.code != 0 {
				t.Fatalf("%d %s\n%d %s", direct.code, direct.errors, converted.code, converted.errors)
			}
			if d := cmp.Diff(direct.out, converted.out); d != "" {
				t.Errorf("what convert prints renders differently:\n%s", d)
			}
		})
	}
}

// TestGoldenConverted holds what is made of each sample of another system against the
// file beside it.
func TestGoldenConverted(t *testing.T) {
	inputs, _ := filepath.Glob("../testdata/convert/*/*/input.yaml")
	stacks, _ := filepath.Glob("../testdata/convert/helm/*/stack.yaml")
	for _, input := range append(inputs, stacks...) {
		t.Run(input, func(t *testing.T) {
			long.Case(t, 8)
			if info, err := os.Stat(input); err != nil || info.Size() == 0 {
				t.Skip("the values are refused")
			}
			got := call(t, "", "render", input)
			if got.code != exitOK {
				t.Fatal(got.errors)
			}
			dir := filepath.Dir(input)
			if os.Getenv("UPDATE_GOLDEN") != "" {
				write(t, dir, map[string]string{"rendered.yaml": got.out})
			}
			want, err := os.ReadFile(filepath.Join(dir, "rendered.yaml"))
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(string(want), got.out); d != "" {
				t.Errorf("%s/rendered.yaml is not current; make golden rewrites it:\n%s", dir, d)
			}
		})
	}
}

func TestOtherSystemsMistake(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"sim.yaml": misspelt})
	file := filepath.Join(dir, "sim.yaml")
	want := file + ":6:3: spec.replica: unknown field; did you mean \"replicas\"?\n"
	for _, command := range []string{"render", "validate", "convert"} {
		got := call(t, "", command, file)
		if got.code != exitError || got.errors != want || got.out != "" {
			t.Errorf("%s: %d %q %q", command, got.code, got.errors, got.out)
		}
	}
	for _, command := range []string{"render", "validate", "convert"} {
		lossy := call(t, "", command, "--lossy", file)
		if lossy.code != 0 || !strings.Contains(lossy.errors, "warning: "+want) {
			t.Errorf("lossy %s: %d %q", command, lossy.code, lossy.errors)
		}
	}
}

func TestFunctionTakesOtherSystems(t *testing.T) {
	got := call(t, resources("", simulator))
	list := parseList(t, got.out)
	if got.code != 0 {
		t.Fatal(got.errors)
	}
	kinds := map[string]bool{}
	for _, item := range list.Items {
		kinds[item["kind"].(string)] = true
		if item["kind"] == "SimulatorDeployment" {
			annotations, _ := item["metadata"].(map[string]any)["annotations"].(map[string]any)
			if annotations[localConfig] != "true" {
				t.Error("the operator's resource would be applied beside what it was compiled to")
			}
		}
	}
	if !kinds["SimulatorDeployment"] || !kinds["InferencePool"] {
		t.Errorf("kinds: %v", kinds)
	}
	again := call(t, got.out)
	if d := cmp.Diff(parseList(t, got.out).Items, parseList(t, again.out).Items); d != "" || again.code != 0 {
		t.Errorf("not the same on its own output: %s\n%s", again.errors, d)
	}
}

func TestConvertHelm(t *testing.T) {
	dir := "../testdata/convert/helm/well-lit/"
	got := call(t, "", "convert", "helm", "--infra", dir+"infra.yaml", "--pool", dir+"pool.yaml", "--modelservice", dir+"modelservice.yaml", "--release-postfix", "mine", "--namespace", "serving")
	if got.code != 0 {
		t.Fatal(got.errors)
	}
	for _, name := range []string{"infra-mine-inference-gateway", "gaie-mine-epp", "ms-mine-llm-d-modelservice-decode", "namespace: serving"} {
		if !strings.Contains(got.out, name) {
			t.Errorf("no %s in\n%s", name, got.out)
		}
	}
	if rendered := call(t, got.out, "render", "-"); rendered.code != 0 {
		t.Error(rendered.errors)
	}
}
