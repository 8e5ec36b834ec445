package manifests

import (
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
		if !long.Part(i, 3) {
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
