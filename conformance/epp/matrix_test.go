package epp

import (
	"fmt"
	"testing"

	"github.com/inferstack/inferstack/conformance/cluster"
	"github.com/inferstack/inferstack/conformance/manifests"
	"github.com/inferstack/inferstack/conformance/product"
)

// presets are those of both release lines.
var presets = []string{"default", "load-aware", "queue", "prefix-aware", "random", "simulator", "pd-disaggregation", "precise-prefix"}

// allPresets lets the real pickers load and serve every preset.
func allPresets(t *testing.T, server *cluster.Cluster) {
	for _, release := range []string{"0.4", "0.10"} {
		for _, preset := range presets {
			t.Run(release+"/"+preset, func(t *testing.T) {
				scenario := stack(t, release, preset)
				if reason := scenario.unproven(t); reason != "" {
					table.Unproven(release+" "+preset, reason)
					return
				}
				held(t, server, release+" "+preset, scenario)
			})
		}
	}
}

// stack renders the tests' stack for one release line and preset, with patches over it.
func stack(t *testing.T, release, preset string, patches ...string) *Scenario {
	t.Helper()
	var stacks product.Stacks
	for _, object := range manifests.File(t, "testdata/stack.yaml") {
		stacks = append(stacks, object.Object)
	}
	patches = append([]string{fmt.Sprintf("spec: {release: %q, scheduler: {preset: %s}}", release, preset)}, patches...)
	if preset == "pd-disaggregation" {
		patches = append(patches, "spec: {prefill: {replicas: 2}}")
	}
	for _, patch := range patches {
		stacks = stacks.Edit(t, patch)
	}
	scenarios := Scenarios(t, manifests.Parse(t, product.Run(t, "render", stacks.Write(t))))
	if len(scenarios) != 1 {
		t.Fatalf("%d pools, want 1", len(scenarios))
	}
	return &scenarios[0]
}
