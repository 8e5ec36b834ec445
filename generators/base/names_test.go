package base

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation"
)

// TestDerived has names and suffixes of any length become names that are allowed, and
// different ones stay different.
func TestDerived(t *testing.T) {
	seen := map[string]bool{}
	for n := 1; n <= 2*MaxLabel; n++ {
		for suffix := 1; suffix <= 2*MaxLabel; suffix++ {
			got := Derived(strings.Repeat("n", n), strings.Repeat("s", suffix), MaxLabel)
			if problems := validation.IsDNS1123Label(got); len(problems) > 0 || seen[got] {
				t.Fatalf("%d and %d: %q: %v, seen: %t", n, suffix, got, problems, seen[got])
			}
			seen[got] = true
		}
	}
}
