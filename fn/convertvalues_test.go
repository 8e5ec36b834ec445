package fn

import (
	"os"
	"strings"
	"testing"

	"github.com/inferstack/inferstack/internal/long"
)

// TestValuesWithoutFlag gives values files to commands that take resources: what takes
// them is said, and as which chart's.
func TestValuesWithoutFlag(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, tc := range map[string]struct{ values, want string }{
		"servers":              {"# mine\nmodelArtifacts:\n  name: a/b\ndecode: {}\n", "v.yaml:2:1: no Kubernetes object, but what seem to be values of the chart llm-d-modelservice: inferstack convert helm --modelservice v.yaml\n"},
		"gateway":              {"gateway:\n  gatewayClassName: istio\nprovider:\n  name: istio\n", "v.yaml:1:1: no Kubernetes object, but what seem to be values of the chart llm-d-infra: inferstack convert helm --infra v.yaml\n"},
		"pool":                 {"inferenceExtension:\n  replicas: 2\nprovider:\n  name: istio\n", "v.yaml:1:1: no Kubernetes object, but what seem to be values of the chart inferencepool: inferstack convert helm --pool v.yaml\n"},
		"router":               {"router:\n  epp: {}\n", "v.yaml:1:1: no Kubernetes object, but what seem to be values of the chart llm-d-router: inferstack convert helm --pool v.yaml\n"},
		"with a mistake":       {"modelArtifacts:\n  name: a/b\nrouting: {}\ndecod: {}\n", "v.yaml:1:1: no Kubernetes object, but what seem to be values of the chart llm-d-modelservice: inferstack convert helm --modelservice v.yaml\n"},
		"an own field besides": {"enabled: true\nmine: {}\n", "v.yaml:1:1: not a Kubernetes object: apiVersion and kind are needed\n"},
		"something else":       {"services:\n  web: {}\n", "v.yaml:1:1: not a Kubernetes object: apiVersion and kind are needed\n"},
		"an error of kubectl":  {"Error from server (NotFound): x\n", "v.yaml:1:1: not a Kubernetes object: apiVersion and kind are needed\n"},
		"keys with dots":       {"a.b: 1\n\"c[0]\": 2\n", "v.yaml:1:1: not a Kubernetes object: apiVersion and kind are needed\n"},
		"a resource's mistake": {"kind: InferenceStack\nspec: {}\n", "v.yaml:1:1: not a Kubernetes object: apiVersion and kind are needed\n"},
	} {
		write(t, ".", map[string]string{"v.yaml": tc.values})
		for _, command := range []string{"convert", "render", "validate"} {
			if got := call(t, "", command, "v.yaml"); got.code != exitError || got.errors != tc.want {
				t.Errorf("%s: %s: %d %s", name, command, got.code, got.errors)
			}
		}
		got := call(t, tc.values, "convert", "-")
		if want := strings.ReplaceAll(strings.Replace(tc.want, "v.yaml", "<stdin>", 1), "v.yaml", "-"); got.errors != want {
			t.Errorf("%s: standard input: %s", name, got.errors)
		}
	}
}

// TestValuesOfAnotherChart names files by the wrong flag.
func TestValuesOfAnotherChart(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, tc := range map[string]struct{ flag, values, want string }{
		"servers as a pool":     {"--pool", "modelArtifacts:\n  name: a/b\n", "v.yaml:1:1: seem to be values of the chart llm-d-modelservice: --modelservice v.yaml\n"},
		"a pool as servers":     {"--modelservice", "inferencePool:\n  targetPortNumber: 8000\n", "v.yaml:1:1: seem to be values of the chart inferencepool: --pool v.yaml\n"},
		"a router as a gateway": {"--infra", "router:\n  epp: {}\n", "v.yaml:1:1: seem to be values of the chart llm-d-router: --pool v.yaml\n"},
		"a resource":            {"--infra", "apiVersion: v1\nkind: Secret\n", "v.yaml:2:7: kind: a resource of kind Secret, and no values of a chart\n"},
		"a list":                {"--infra", "- a\n", "v.yaml:1:1: must be a mapping (got a list)\n"},
		"two documents":         {"--infra", "gateway: {}\n---\ngateway: {}\n", "v.yaml:3:1: a second document: a values file has one\n"},
		"a tab":                 {"--infra", "gateway:\n\tname: x\n", "v.yaml:2: not YAML: a tab: YAML is indented with spaces\n"},
		"a former chart":        {"--infra", "sampleApplication: {}\nmodelservice: {enabled: true}\n", "v.yaml:1:20: sampleApplication: values of the chart llm-d of llm-d-deployer, which installs an operator and a ModelService: convert the ModelService that it makes, as kubectl get modelservice -o yaml prints it\n"},
	} {
		write(t, ".", map[string]string{"v.yaml": tc.values})
		if got := call(t, "", "convert", "helm", tc.flag, "v.yaml"); got.code != exitError || got.errors != tc.want {
			t.Errorf("%s: %d %s", name, got.code, got.errors)
		}
	}
}

// TestValuesOnStandardInput pipes each of the three files.
func TestValuesOnStandardInput(t *testing.T) {
	dir := "../testdata/convert/helm/well-lit/"
	files := map[string]string{"--infra": dir + "infra.yaml", "--pool": dir + "pool.yaml", "--modelservice": dir + "modelservice.yaml"}
	all := func(stdin string) (args []string) {
		for _, flag := range []string{"--infra", "--pool", "--modelservice"} {
			name := files[flag]
			if flag == stdin {
				name = "-"
			}
			args = append(args, flag, name)
		}
		return append([]string{"convert", "helm"}, args...)
	}
	want := call(t, "", all("")...)
	for flag, name := range files {
		if flag != "--pool" && !long.All() {
			continue
		}
		values, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		got := call(t, string(values), all(flag)...)
		if got.code != exitOK || got.out != want.out || !strings.Contains(got.errors, "<stdin>:") {
			t.Errorf("%s: %d %s", flag, got.code, got.errors)
		}
	}
}
