package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// inPlace is a transformer that names the program, as docs/moving-over.md has it.
const inPlace = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: inferstack\n  annotations:\n    config.kubernetes.io/local-config: \"true\"\n    config.kubernetes.io/function: |\n      exec: {path: PROGRAM}\n"

// TestKustomizeTakesOtherSystems adds one line to a kustomization that lists the resources
// of other systems, unchanged. What comes out is what render prints.
func TestKustomizeTakesOtherSystems(t *testing.T) {
	for _, sample := range []string{"simulatordeployment/full", "schedulerinstall/with-simulator", "inferencescheduler/sample", "llmd/readme", "modelservice/pvc-base-config", "together/all-kinds"} {
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
			for _, o := range objectsIn(t, fileText(t, "../testdata/convert/"+sample+"/input.yaml")) {
				if o["kind"] == "ConfigMap" {
					want = append(want, o) // a base configuration is the user's own object, and stays
				}
			}
			if d := cmp.Diff(identities(want), identities(objectsIn(t, got))); d != "" {
				t.Errorf("kustomize and render disagree:\n%s", d)
			}
		})
	}
}

// TestKptTakesOtherSystems renders a package that holds the resource of another system:
// it stays, and what it compiles to is written beside it.
func TestKptTakesOtherSystems(t *testing.T) {
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
