package epp

import (
	"os"
	"path/filepath"
	"strings"
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
				serve(t, server, release+" "+preset, scenario)
			})
		}
	}
}

// stack renders the tests' stack for one release line and preset.
func stack(t *testing.T, release, preset string) *Scenario {
	t.Helper()
	content, err := os.ReadFile("testdata/stack.yaml")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.NewReplacer("RELEASE", release, "PRESET", preset).Replace(string(content))
	if preset == "pd-disaggregation" {
		text = strings.Replace(text, "  decode:\n", "  prefill:\n    replicas: 2\n  decode:\n", 1)
	}
	path := filepath.Join(t.TempDir(), "stack.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	scenarios := Scenarios(t, manifests.Parse(t, product.Run(t, "render", path)))
	if len(scenarios) != 1 {
		t.Fatalf("%d pools, want 1", len(scenarios))
	}
	return &scenarios[0]
}
