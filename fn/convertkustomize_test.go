package fn

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/inferstack/inferstack/internal/long"
)

// inPlace is a transformer that names the program, as docs/migration.md has it.
const inPlace = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: inferstack\n  annotations:\n    config.kubernetes.io/local-config: \"true\"\n    config.kubernetes.io/function: |\n      exec: {path: PROGRAM}\n"

// TestKustomizeTakesOtherSystems adds one line to a kustomization that lists the resources
// of other systems, unchanged. What comes out is what render prints.
func TestKustomizeTakesOtherSystems(t *testing.T) {
	for i, sample := range []string{"simulatordeployment/full", "schedulerinstall/with-simulator", "inferencescheduler/sample", "llmd/readme", "modelservice/pvc-base-config", "together/all-kinds"} {
		if !long.Part(i, 6) {
			continue
		}
		t.Run(sample, func(t *testing.T) {
			input := call(t, "", "render", "../testdata/convert/"+sample+"/input.yaml")
			dir := t.TempDir()
			write(t, dir, map[string]string{
				"kustomization.yaml": "resources:\n- operator.yaml\ntransformers:\n- inferstack.yaml\nsortOptions:\n  order: fifo\n",
				"inferstack.yaml":    strings.Replace(inPlace, "PROGRAM", binary(t), 1),
				"operator.yaml":      fileText(t, "../testdata/convert/"+sample+"/input.yaml"),
			})
			got, err := kustomize(t, dir)
			if err != nil {
				t.Fatal(err)
			}
			want := objectsIn(t, input.out)
			if d := cmp.Diff(identities(want), identities(objectsIn(t, got))); d != "" {
				t.Errorf("kustomize and render disagree:\n%s", d)
			}
		})
	}
}

// TestBaseConfigMap has a ConfigMap that a ModelService refers to and one that none does: the
// first is for the old controller alone, and is not applied unless its owner says so.
func TestBaseConfigMap(t *testing.T) {
	const other = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: mine\n  namespace: a\n"
	base := func(namespace, annotations string) string {
		return "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: base\n" + namespace + annotations + "data:\n  decodeDeployment: |\n    apiVersion: apps/v1\n    kind: Deployment\n    spec: {template: {spec: {containers: [{name: vllm, image: 'x/y:v1', args: [--port, '8000']}]}}}\n"
	}
	service := func(ref string) string {
		return "apiVersion: llm-d.ai/v1alpha1\nkind: ModelService\nmetadata:\n  name: m\n  namespace: a\nspec:\n  baseConfigMapRef: {" + ref + "}\n  modelArtifacts: {uri: 'hf://o/m'}\n  routing: {modelName: o/m}\n  decode: {replicas: 1}\n"
	}
	for name, tc := range map[string]struct {
		base, service, want string
	}{
		"same namespace": {base("  namespace: a\n", ""), service("name: base"), "true"},
		"named":          {base("  namespace: b\n", ""), service("name: base, namespace: b"), "true"},
		"none":           {base("", ""), service("name: base"), "true"},
		"kept":           {base("  namespace: a\n", "  annotations: {config.kubernetes.io/local-config: \"false\"}\n"), service("name: base"), "false"},
	} {
		t.Run(name, func(t *testing.T) {
			got := call(t, resources("", tc.base, other, tc.service))
			if got.code != exitOK {
				t.Fatal(got.errors)
			}
			for _, item := range parseList(t, got.out).Items {
				mark := fmt.Sprint(annotationsOf(item)[localConfig])
				switch metadata, _ := item["metadata"].(map[string]any); metadata["name"] {
				case "base":
					if mark != tc.want {
						t.Errorf("the base has %s", mark)
					}
				case "mine":
					if mark != "<nil>" {
						t.Error("another ConfigMap would not be applied")
					}
				}
			}
		})
	}
}

// TestKptTakesOtherSystems renders a package that holds the resource of another system:
// it stays, and what it compiles to is written beside it.
func TestKptTakesOtherSystems(t *testing.T) {
	long.Skip(t)
	dir := t.TempDir()
	write(t, dir, map[string]string{"Kptfile": kptfile(binary(t)), "sim.yaml": simulator})
	for range 2 {
		if out, err := kpt(t, dir, "fn", "render", "--allow-exec"); err != nil {
			t.Fatal(out)
		}
	}
	var all strings.Builder
	for _, text := range files(t, dir) {
		all.WriteString(text)
	}
	for _, want := range []string{"kind: SimulatorDeployment", "kind: InferencePool", "name: gaie-sim-epp"} {
		if !strings.Contains(all.String(), want) {
			t.Errorf("no %q in the package", want)
		}
	}
}

// identities are what objects are known by, without those of a local configuration.
func identities(objects []map[string]any) []string {
	var out []string
	for _, o := range objects {
		metadata, _ := o["metadata"].(map[string]any)
		out = append(out, fmt.Sprint(o["kind"], " ", metadata["namespace"], "/", metadata["name"]))
	}
	slices.Sort(out)
	return out
}

func fileText(t *testing.T, file string) string {
	t.Helper()
	for name, text := range files(t, filepath.Dir(file)) {
		if name == filepath.Base(file) {
			return text
		}
	}
	t.Fatalf("no %s", file)
	return ""
}

// TestKustomizeChangesOtherSystems has kustomize rename and label the resources of other
// systems before they are compiled.
func TestKustomizeChangesOtherSystems(t *testing.T) {
	for i, sample := range []string{"schedulerinstall/with-simulator", "modelservice/pvc-base-config"} {
		for j, change := range []string{"namePrefix: p-", "nameSuffix: -s", "commonLabels: {team: a}", "commonAnnotations: {team: a}"} {
			if !long.Part(3*i+j, 6) {
				continue
			}
			t.Run(sample+"/"+change, func(t *testing.T) {
				dir := t.TempDir()
				write(t, dir, map[string]string{
					"kustomization.yaml": "resources:\n- operator.yaml\n" + change + "\ntransformers:\n- inferstack.yaml\n",
					"inferstack.yaml":    strings.Replace(inPlace, "PROGRAM", binary(t), 1),
					"operator.yaml":      fileText(t, "../testdata/convert/"+sample+"/input.yaml"),
				})
				got, err := kustomize(t, dir)
				if err != nil || !strings.Contains(got, "kind: InferencePool") || strings.Contains(got, "kustomize.config.k8s.io/id") {
					t.Errorf("%v\n%s", err, got)
				}
			})
		}
	}
}
