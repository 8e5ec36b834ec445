package manifests

import (
	"regexp"
	"testing"

	"github.com/inferstack/inferstack/diff"
)

// selected are the fields in which the pods of adopted workloads may differ: labels, by which a
// stack selects, the order of variables that do not refer to each other, and a container's
// ports, which Services refer to by name.
var selected = regexp.MustCompile(`metadata\.labels|\.env$|\.ports\[[^]]*\]|volumes\[`)

// TestAdopt has Deployments, groups and roles of a DisaggregatedSet, whose pods get nothing
// beside what they have, and says of each what applying the stack does to it.
func TestAdopt(t *testing.T) {
	for name, want := range map[string]diff.Risk{
		"optimized-baseline": diff.Replaces, // a Deployment's selector cannot change
		"disaggregatedset":   diff.Replaces,
		"wide-ep":            diff.RestartsGPU, // a LeaderWorkerSet has none
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			workloads := 0
			for _, d := range stackOf(t, byhand+name+"/objects.yaml", Options{Adopt: true}).Left {
				if d.Risk != diff.Replaces && d.Risk != diff.RestartsGPU {
					continue
				}
				workloads++
				if d.Risk != want {
					t.Errorf("%s: %s, not %s", d.ID, d.Risk, want)
				}
				for _, c := range d.Changes {
					if regexp.MustCompile(`[tT]emplate\.`).MatchString(c.Path) && !selected.MatchString(c.Path) {
						t.Errorf("%s: %s: %v -> %v", d.ID, c.Path, c.Old, c.New)
					}
				}
			}
			if workloads == 0 {
				t.Error("no workload differs")
			}
		})
	}
}

// TestAdoptOwn applies what is found for the objects of a stack without a restart.
func TestAdoptOwn(t *testing.T) {
	if left := stackOf(t, goldenDir+"/prefill-decode-istio.yaml", Options{Adopt: true}).Left; len(left) > 0 {
		t.Errorf("differs: %v", left)
	}
}
