package collect

import (
	"bufio"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"unsafe"
)

var kept [][]byte

// TestReserve fills what is reserved: the heap does not grow, and has been offered huge pages.
func TestReserve(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	defer func() { kept = nil }()
	const chunks = 3
	reserve(chunks)
	before := mapped()
	for range chunks*heapChunk/(8<<10) - 128 { // what the runtime takes for itself
		kept = append(kept, make([]byte, 8<<10))
	}
	if after := mapped(); after >= before+heapChunk {
		t.Errorf("the heap grows from %d to %d bytes", before, after)
	}
	small := 0
	areas := offered(t)
	for _, block := range kept {
		if !areas.have(uintptr(unsafe.Pointer(&block[0]))) {
			small++
		}
	}
	// What was free before is filled first.
	if small > heapChunk/(8<<10) {
		t.Errorf("%d of %d blocks are in no huge page", small, len(kept))
	}
}

func mapped() uint64 {
	var now runtime.MemStats
	runtime.ReadMemStats(&now)
	return now.HeapSys
}

type areas [][2]uintptr

func (all areas) have(at uintptr) bool {
	for _, a := range all {
		if a[0] <= at && at < a[1] {
			return true
		}
	}
	return false
}

// offered are the areas of memory with the flag hg (man 5 proc_pid_smaps).
func offered(t *testing.T) (all areas) {
	t.Helper()
	file, err := os.Open("/proc/self/smaps")
	if err != nil {
		t.Skip(err)
	}
	defer func() { _ = file.Close() }()
	var area [2]uintptr
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		var from, to uintptr
		if n, _ := fmt.Sscanf(lines.Text(), "%x-%x ", &from, &to); n == 2 {
			area = [2]uintptr{from, to}
		}
		if flags, ok := strings.CutPrefix(lines.Text(), "VmFlags:"); ok && strings.Contains(flags+" ", " hg ") {
			all = append(all, area)
		}
	}
	return all
}
