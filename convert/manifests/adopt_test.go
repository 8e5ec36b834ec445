package manifests

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/inferstack/inferstack/diff"
	"github.com/inferstack/inferstack/internal/long"
)

// TestAdopt has llm-d's guides, whose servers stay as they run: neither their workloads' selectors nor anything of
// their pods differs. Where that cannot be, what is said is what applying the stack does.
func TestAdopt(t *testing.T) {
	for i, guide := range []struct {
		name string
		want diff.Risk
	}{
		{"optimized-baseline", diff.Changes},
		{"precise-prefix", diff.Changes},
		{"prefill-decode", diff.Changes},
		{"disaggregatedset", diff.RestartsGPU}, // its pods get the labels that a stack selects by
		{"sglang", diff.Changes},
		{"tpu", diff.Changes},
		{"trtllm", diff.Changes},
		{"wide-ep", diff.RestartsGPU}, // the container has another name
	} {
		if !long.Part(i, 8) {
			continue
		}
		t.Run(guide.name, func(t *testing.T) {
			t.Parallel()
			workloads := 0
			for _, d := range stackOf(t, byhand+guide.name+"/objects.yaml", Options{Adopt: true}).Left {
				if kind := d.ID.Kind; kind != "LeaderWorkerSet" && kind != "DisaggregatedSet" && kind != "Deployment" || d.Risk == diff.Restarts {
					continue // of the EPP, whose pods have no accelerators
				}
				workloads++
				if d.Risk != guide.want {
					t.Errorf("%s: %s, not %s: %v", d.ID, d.Risk, guide.want, d.Changes)
				}
			}
			if workloads == 0 {
				t.Error("no workload differs")
			}
		})
	}
}

// TestAdoptPicker has an EPP as the chart of the Inference Extension makes it (config/charts/inferencepool,
// v1.5.0): it stays as it runs, and reads the group of configurations that it knows.
func TestAdoptPicker(t *testing.T) {
	for _, d := range stackOf(t, "testdata/chart-epp.yaml", Options{Adopt: true}).Left {
		if kind := d.ID.Kind; (kind == "Deployment" || kind == "ConfigMap") && d.Risk > diff.Changes {
			t.Errorf("%s: %s: %v", d.ID, d.Risk, d.Changes)
		}
		for _, c := range d.Changes {
			if d.ID.Kind == "ConfigMap" && strings.HasPrefix(fmt.Sprint(c), "{data") {
				t.Errorf("%s: %v", d.ID, c)
			}
		}
	}
}

// TestAdoptOwn applies what is found for the objects of a stack without a restart.
func TestAdoptOwn(t *testing.T) {
	if left := stackOf(t, goldenDir+"/prefill-decode-istio.yaml", Options{Adopt: true}).Left; len(left) > 0 {
		t.Errorf("differs: %v", left)
	}
}

// The objects of a gateway, with the Gateway itself and without.
const hereFile, elsewhereFile = "testdata/gateway-here.yaml", "testdata/gateway-elsewhere.yaml"

// TestAdoptGateway has a gateway, its route and Services that differ from a stack's in more than one
// thing: the name of a listener and whose routes it allows, names of ports and those that have none,
// a Gateway that is not among the objects. What requests go through stays.
func TestAdoptGateway(t *testing.T) {
	for _, file := range []string{hereFile, elsewhereFile} {
		for _, adopt := range []bool{false, true} {
			if !long.All() && (adopt || file != elsewhereFile) {
				continue
			}
			for _, d := range onlyStack(t, convertedFile(t, file, Options{Adopt: adopt})).Left {
				if d.Risk == diff.Removes && d.ID.Kind != "Role" && d.ID.Kind != "RoleBinding" {
					t.Errorf("%s, adopt %v: %s is lost", file, adopt, d.ID)
				}
				for _, c := range d.Changes {
					if strings.HasPrefix(c.Path, "spec.parentRefs") || strings.HasPrefix(c.Path, "spec.hostnames") || strings.HasPrefix(c.Path, "spec.listeners") || c.Path == "spec.ports[80]" {
						t.Errorf("%s, adopt %v: %s: %v", file, adopt, d.ID, c)
					}
				}
			}
		}
	}
}

// TestUnknownGateway says which class is taken for a Gateway that is not among the objects.
func TestUnknownGateway(t *testing.T) {
	for file, want := range map[string]bool{hereFile: false, elsewhereFile: true} {
		if !want && !long.All() {
			continue
		}
		said := false
		for _, p := range convertedFile(t, file, Options{}).Problems {
			said = said || strings.Contains(p.Message, "Gateway shared is not among the objects")
		}
		if said != want {
			t.Errorf("%s: said %v", file, said)
		}
	}
}

// TestAdoptLabels has pods with labels that a stack gives its own, which their selectors do not name: the
// selectors stay.
func TestAdoptLabels(t *testing.T) {
	objects := content(t, goldenDir+"/quickstart.yaml")
	for _, part := range [][2]string{{"app.kubernetes.io/component", "tier"}, {"app.kubernetes.io/instance", "app"}} {
		objects = bytes.ReplaceAll(objects, []byte(part[0]), []byte(part[1]))
	}
	for _, label := range []string{"llm-d.ai/inference-serving", "app.kubernetes.io/managed-by"} {
		if !bytes.Contains(objects, []byte("        "+label)) {
			t.Fatalf("no pods with %s", label)
		}
	}
	for _, d := range converted(t, objects, Options{Adopt: true}).Stacks[0].Left {
		if d.Risk > diff.Changes {
			t.Errorf("%s: %s: %v", d.ID, d.Risk, d.Changes)
		}
	}
}
