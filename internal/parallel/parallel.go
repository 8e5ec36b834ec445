// Package parallel spreads work that has no order over all processors and keeps its results
// in order, so that the same input gives the same bytes on any machine.
package parallel

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// Map returns the results of n pieces of work, each where its number says. The pieces must
// not change what others read.
func Map[T any](n int, work func(i int) T) []T {
	out := make([]T, n)
	workers := min(n, runtime.GOMAXPROCS(0))
	if workers < 2 {
		for i := range n {
			out[i] = work(i)
		}
		return out
	}
	var next atomic.Int64
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				out[i] = work(i)
			}
		})
	}
	group.Wait()
	return out
}
