// Package collect sets up the memory of a short run.
package collect

import (
	"runtime"
	"runtime/debug"
)

// heapChunk is by how many bytes Go's heap grows (runtime/mpagealloc.go, pallocChunkBytes).
const heapChunk = 4 << 20

// firstCollection is the heap at which garbage is first collected, in chunks, where Go does at one: a run
// on a usual stack is over by then, and a collection walks all package data, which costs as much as
// compiling the stack.
const firstCollection = 4

// Short sets up the memory of a run that on a usual stack fills so many chunks of the heap more than the
// start of the program. The first collection brings the default back, so that large inputs take no more memory.
func Short(chunks int) {
	late(firstCollection + unused(chunks))
	reserve(chunks)
}

// late puts the first collection off until the heap has so many chunks.
func late(chunks int) {
	usual := debug.SetGCPercent(100 * chunks)
	if usual != 100 {
		debug.SetGCPercent(usual) // GOGC says otherwise
		return
	}
	runtime.AddCleanup(&struct{ next *int }{}, func(usual int) { debug.SetGCPercent(usual) }, usual)
}
