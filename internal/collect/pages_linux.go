package collect

import (
	"syscall"
	"unsafe"
)

// Pages asks Linux for huge pages for the part of the heap that a short run fills. Its memory is
// touched once, page by page, and each first touch is a fault: those of one stack took a third of
// its processor time on a virtual machine without nested page tables, which has the dearest. It
// is a hint: where huge pages are switched off, or have been given to all, nothing changes.
func Pages() {
	var here byte // stacks of goroutines are in the heap
	chunk := uintptr(unsafe.Pointer(&here)) &^ (heapChunk - 1)
	_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, chunk, 2*heapChunk, syscall.MADV_HUGEPAGE)
}

// heapChunk is by how many bytes Go's heap grows (runtime/mpagealloc.go, pallocChunkBytes). At
// the start of main it has one or two chunks.
const heapChunk = 4 << 20
