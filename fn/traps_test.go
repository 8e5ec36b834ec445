package fn

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"
)

// The traps that kustomize, kpt and Argo CD lay for a function, in the order in which
// they would be fallen into. Kustomize's silence without --enable-exec cannot be cured
// from inside; the README says it, and TestTrapNoExec pins that it is still so.

func TestTrapNoExec(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"kustomization.yaml": "generators:\n- stack.yaml\n", "stack.yaml": asFunction(t, small)})
	out, err := kustomizeWith(t, dir, false)
	if err != nil || strings.TrimSpace(out) != "" {
		t.Errorf("kustomize says something without --enable-exec now; the README can say so: %q %v", out, err)
	}
}

func TestTrapErrorsAreNotOnlyResults(t *testing.T) {
	bad := strings.Replace(small, "model:", "modle:", 1)
	got := call(t, resources(bad, bad))
	l := parseList(t, got.out)
	if got.code != exitError || len(l.Results) == 0 {
		t.Fatalf("exit %d, %d results", got.code, len(l.Results))
	}
	for _, r := range l.Results {
		if r.Severity != "error" || !strings.Contains(got.errors, r.Message) {
			t.Errorf("%s %q is not on standard error:\n%s", r.Severity, r.Message, got.errors)
		}
		if r.ResourceRef["name"] != "llama" || r.Field["path"] == "" {
			t.Errorf("result without its object or field: %+v", r)
		}
	}
	dir := t.TempDir()
	write(t, dir, map[string]string{"kustomization.yaml": "generators:\n- stack.yaml\n", "stack.yaml": asFunction(t, bad)})
	if _, err := kustomize(t, dir); err == nil {
		t.Error("kustomize succeeds on a stack with an error")
	}
}

func TestTrapItemsAreAlwaysWritten(t *testing.T) {
	for name, input := range map[string]string{
		"nothing":       "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n",
		"no items":      "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nfunctionConfig:\n" + indent(small, "  "),
		"items is null": "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n",
		"error":         resources(strings.Replace(small, "name: meta", "nam: meta", 1)),
		"not YAML":      "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems: [\n",
	} {
		t.Run(name, func(t *testing.T) {
			got := call(t, input)
			var l struct {
				Kind  string    `yaml:"kind"`
				Items yaml.Node `yaml:"items"`
			}
			if err := yaml.Unmarshal([]byte(got.out), &l); err != nil {
				t.Fatal(err)
			}
			if l.Kind != "ResourceList" || l.Items.Kind != yaml.SequenceNode {
				t.Errorf("no items in\n%s", got.out)
			}
		})
	}
}

func TestTrapInputsAreNotDropped(t *testing.T) {
	kptfile := inFile("apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: p\n", "Kptfile")
	for _, config := range []string{"", inFile(small, "stack.yaml")} {
		got := parseList(t, call(t, resources(config, kptfile, inFile(small, "stack.yaml"))).out)
		if diff := cmp.Diff([]string{"Kptfile p", "InferenceStack llama"}, names(got)[:2]); diff != "" {
			t.Error(diff)
		}
	}
}

func TestTrapOutputDoesNotGrow(t *testing.T) {
	out := call(t, resources("", inFile(small, "stack.yaml"))).out
	count := len(parseList(t, out).Items)
	for range 3 {
		out = call(t, again(t, out)).out
	}
	if got := len(parseList(t, out).Items); got != count {
		t.Errorf("%d items have become %d", count, got)
	}
}

func TestTrapKindsOfTwoGroupsShareAName(t *testing.T) {
	objects := made(t, "apiVersion: gateway.networking.k8s.io/v1\nkind: Gateway\nmetadata: {name: g}\n",
		"apiVersion: networking.istio.io/v1\nkind: Gateway\nmetadata: {name: g}\n",
		"apiVersion: v1\nkind: Role\nmetadata: {name: 'system:r', namespace: a}\n",
		"apiVersion: v1\nkind: Role\nmetadata: {name: 'system:r', namespace: b}\n",
		"apiVersion: v1\nkind: Service\nmetadata: {name: g}\n")
	want := []string{
		"gateway.gateway.networking.k8s.io_g.yaml", "gateway.networking.istio.io_g.yaml",
		"role_system-r_a.yaml", "role_system-r_b.yaml", "service_g.yaml",
	}
	if diff := cmp.Diff(want, fileNames(objects)); diff != "" {
		t.Error(diff)
	}
}

func TestTrapSpellingDoesNotMatter(t *testing.T) {
	plain := small + "  server:\n    vllm:\n      gpuMemoryUtilization: 1\n  decode:\n    replicas: 1000\n"
	odd := small + "  server:\n    vllm:\n      gpuMemoryUtilization: 1.0\n  decode:\n    replicas: 1e3\n"
	want, got := call(t, resources(plain, plain)), call(t, resources(odd, odd))
	if want.code != exitOK || got.code != exitOK {
		t.Fatal(want.errors, got.errors)
	}
	if diff := cmp.Diff(parseList(t, want.out).Items, parseList(t, got.out).Items); diff != "" {
		t.Error(diff)
	}
}

func TestTrapEnvironmentDoesNotMatter(t *testing.T) {
	input := resources(small, small)
	start := func(env ...string) string {
		cmd := exec.Command(binary(t))
		cmd.Env = env
		cmd.Stdin = strings.NewReader(input)
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	want := start()
	got := start("TZ=Pacific/Kiritimati", "LANG=tr_TR.UTF-8", "LC_ALL=tr_TR.UTF-8", "HOME=/nonexistent", "CUE_EXPERIMENT=evalv3=0",
		"CUE_DEBUG=strict", "KUBECONFIG=/nonexistent", "STRUCTURED_RESULTS=true", "LOG_TO_STDERR=true", "NO_COLOR=1", "GOMAXPROCS=1", "ARGOCD_APP_NAME=x")
	if want != got {
		t.Error("the environment changes the output")
	}
}

func TestTrapFluxSubstitution(t *testing.T) {
	for _, example := range examples(t) {
		out := call(t, "", "render", example).out
		for doc := range strings.SplitSeq(out, "\n---\n") {
			if strings.Contains(doc, "${") && !strings.Contains(doc, "kustomize.toolkit.fluxcd.io/substitute: disabled") {
				t.Errorf("%s: ${ without the annotation that keeps Flux from substituting:\n%.300s", example, doc)
			}
		}
	}
}

func TestTrapNothingIsAnError(t *testing.T) {
	for name, input := range map[string]string{
		"no stack":     resources("", foreign),
		"empty items":  resources(""),
		"only config":  resources("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: function-input\ndata: {}\n"),
		"empty config": strings.Replace(resources("", foreign), "items:", "functionConfig: {}\nitems:", 1),
	} {
		t.Run(name, func(t *testing.T) {
			got := call(t, input)
			if got.code != exitError || !strings.Contains(got.errors, "no InferenceStack found") {
				t.Errorf("exit %d: %s", got.code, got.errors)
			}
		})
	}
	dir := t.TempDir()
	write(t, dir, map[string]string{"config.yaml": foreign, "README.md": "InferenceStack"})
	if got := call(t, "", "render", dir); got.code != exitError || got.out != "" {
		t.Errorf("exit %d: %s%s", got.code, got.out, got.errors)
	}
}

// examples are the example stacks of the repository.
func examples(t *testing.T) []string {
	t.Helper()
	found, err := filepath.Glob("../examples/*/stack.yaml")
	if err != nil || len(found) == 0 {
		t.Fatal("no examples", err)
	}
	for i := range found {
		found[i] = filepath.Dir(found[i])
		if _, err := os.Stat(found[i]); err != nil {
			t.Fatal(err)
		}
	}
	return found
}
