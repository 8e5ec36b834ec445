package wiring

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestCrowd looks at every pair of a set as long as they are few enough, and says of which
// ones it does not.
func TestCrowd(t *testing.T) {
	for _, test := range []struct{ n, ports, cut int }{{90, 90 * 90, 0}, {200, 200 * mostTaken, 200}} {
		ports, cut := 0, 0
		for _, f := range Check(crowd(t, test.n), Options{Rules: []string{"service-target-port", "selection-cut"}}) {
			switch f.Rule {
			case "service-target-port":
				ports++
			case "selection-cut":
				cut++
			}
		}
		if ports != test.ports || cut != test.cut {
			t.Errorf("%d Services over as many Deployments: %d ports and %d cut, want %d and %d", test.n, ports, cut, test.ports, test.cut)
		}
	}
}

// crowd are Services that each select all Deployments, by a port that none has.
func crowd(t *testing.T, n int) []*Object {
	t.Helper()
	var out strings.Builder
	for i := range n {
		fmt.Fprintf(&out, "---\napiVersion: v1\nkind: Service\nmetadata: {name: s%d, namespace: a}\nspec: {selector: {of: all}, ports: [{port: 80, targetPort: web}]}\n", i)
		fmt.Fprintf(&out, "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d%d, namespace: a}\nspec: {template: {metadata: {labels: {of: all}}, spec: {containers: [{name: c}]}}}\n", i)
	}
	objects, err := Read("crowd.yaml", []byte(out.String()))
	if err != nil {
		t.Fatal(err)
	}
	return objects
}

// TestSpeller finds the same names as near, which looks at each.
func TestSpeller(t *testing.T) {
	names := []string{"qwen-a", "qwen-decode", "hf-token", "hf_token", "llama-2", "model1", "qwen-prefill", "qwen-epp", "qwen-decod", "epp-qwen-2", "ab", ""}
	s := newSpeller(names)
	wrong := slices.Clone(names)
	for _, name := range names {
		for i := range len(name) {
			wrong = append(wrong, name[:i]+name[i+1:], name[:i]+"x"+name[i:], name[:i]+"7"+name[i+1:])
			if i > 0 {
				wrong = append(wrong, name[:i-1]+name[i:i+1]+name[i-1:i]+name[i+1:])
			}
		}
	}
	for _, w := range wrong {
		if got, want := s.near(w), Near(w, names); got != want {
			t.Errorf("%q: %q, want %q", w, got, want)
		}
	}
}
