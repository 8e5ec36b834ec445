package parallel

import (
	"runtime"
	"slices"
	"testing"
)

// TestMapKeepsOrder has as many processors as there are, one, and more than pieces of work.
func TestMapKeepsOrder(t *testing.T) {
	for _, processors := range []int{1, 2, 8} {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
		for _, n := range []int{0, 1, 2, 7, 1000} {
			want := make([]int, n)
			for i := range want {
				want[i] = i * i
			}
			if got := Map(n, func(i int) int { return i * i }); !slices.Equal(got, want) {
				t.Errorf("%d pieces on %d processors: %v", n, processors, got)
			}
		}
	}
}
