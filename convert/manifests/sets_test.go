package manifests

import (
	"strings"
	"testing"

	"github.com/inferstack/inferstack/internal/long"
)

// TestSets has DisaggregatedSets that a stack can have as one, and those that it cannot.
func TestSets(t *testing.T) {
	long.Skip(t)
	data := string(content(t, byhand+"disaggregatedset/objects.yaml"))
	for _, tt := range []struct {
		name, objects string
		whole         bool
	}{
		{"two roles", data, true},
		{"placed", strings.Replace(data, "\n  slices: 2\n", "\n  slices: 2\n  placementPolicy: {type: ExclusiveSlice, topology: topology.kubernetes.io/zone}\n", 1), true},
		{"placed nowhere", strings.Replace(data, "\n  slices: 2\n", "\n  slices: 2\n  placementPolicy: {type: None}\n", 1), true},
		{"two roles of one kind", strings.Replace(data, "llm-d.ai/role: prefill", "llm-d.ai/role: decode", 1), false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := converted(t, []byte(tt.objects), Options{})
			if len(r.Stacks) != 1 {
				t.Fatal(len(r.Stacks), r.Problems)
			}
			var stack object
			if err := r.Stacks[0].Node.Decode(&stack); err != nil {
				t.Fatal(err)
			}
			set, warned := at(stack, "spec", "disaggregatedSet"), false
			for _, p := range r.Problems {
				warned = warned || strings.Contains(p.Message, "in place of DisaggregatedSet")
			}
			if (set != nil) != tt.whole || warned == tt.whole {
				t.Errorf("set %v, warned: %v", set, warned)
			}
			if tt.name == "placed" && text(set, "placementPolicy", "topology") != "topology.kubernetes.io/zone" {
				t.Error(set)
			}
			if kind := "DisaggregatedSet"; tt.whole {
				for _, d := range r.Stacks[0].Left {
					if d.ID.Kind == kind && len(d.Changes) == 0 {
						t.Errorf("%s is another", d.ID)
					}
				}
			}
		})
	}
}
