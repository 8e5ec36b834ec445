// Package collect sets up the memory of a short run.
package collect

import (
	"runtime"
	"runtime/debug"
)

// The first garbage collection comes at 16 MiB instead of 4: a run on a usual stack is
// over by then, and a collection walks all package data, which costs as much as compiling
// the stack. The first brings the default back, so that large inputs take no more memory.
const firstCollection = 400 // percent of Go's 4 MiB

// Late puts the first collection off.
func Late() {
	usual := debug.SetGCPercent(firstCollection)
	if usual != 100 {
		debug.SetGCPercent(usual) // GOGC says otherwise
		return
	}
	runtime.AddCleanup(&struct{ next *int }{}, func(usual int) { debug.SetGCPercent(usual) }, usual)
}
