package diff

import (
	"fmt"
	"testing"
)

// TestLongLists holds that long lists take time by their length and not by its square:
// with the square, a mebibyte of them would take gigabytes or minutes.
func TestLongLists(t *testing.T) {
	const n = 20000
	object := func(entry func(i int) any) []Object {
		list := make([]any, n)
		for i := range list {
			list[i] = entry(i)
		}
		return []Object{{"apiVersion": "apps/v1", "kind": "Deployment", "metadata": map[string]any{"name": "a"}, "spec": map[string]any{"list": list}}}
	}
	word := func(format string) func(int) any {
		return func(i int) any { return fmt.Sprintf(format, i) }
	}
	named := func(format string) func(int) any {
		return func(i int) any { return map[string]any{"name": fmt.Sprintf(format, i)} }
	}
	for _, tc := range []struct {
		name     string
		old, new func(int) any
		changes  int
	}{
		{"alike", word("a"), word("a"), 0},
		{"another last word", word("a%d"), func(i int) any { return fmt.Sprintf("a%d", i-i/(n-1)) }, 1},
		{"all other words", word("a%d"), word("b%d"), 1},
		{"all other entries", named("a%d"), named("b%d"), 2 * n},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := Compare(object(tc.old), object(tc.new))
			count := 0
			for _, d := range got {
				count += len(d.Changes)
			}
			if count != tc.changes {
				t.Errorf("got %d changes, want %d", count, tc.changes)
			}
		})
	}
}
