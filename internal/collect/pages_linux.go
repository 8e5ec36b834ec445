package collect

import (
	"syscall"
	"unsafe"
)

// reserve asks Linux for huge pages for the next chunks of the heap. A short run touches its memory
// once, page by page, and each first touch is a fault: those of one stack took a third of
// its processor time on a virtual machine without nested page tables, which has the dearest. It
// is a hint: where huge pages are switched off, or have been given to all, nothing changes.
func reserve(chunks int) {
	for n := range chunks {
		// The heap grows by whole chunks. This does not fit into those that are free, so that one more is free
		// behind it. It is garbage, and never touched.
		room := make([]byte, (n+1)*heapChunk+1)
		first := uintptr(unsafe.Pointer(&room[0])) &^ (heapChunk - 1)
		_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, first, uintptr(2*n+3)*heapChunk, syscall.MADV_HUGEPAGE)
	}
}

// unused is how many chunks that leaves as garbage.
func unused(chunks int) int { return chunks * (chunks + 1) / 2 }
