//go:build unix

package growth

import (
	"os"
	"runtime"
	"syscall"
)

// memoryOf is the most memory that a process had at one time, in kB.
func memoryOf(p *os.ProcessState) int64 {
	usage, ok := p.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" { // there in bytes
		return int64(usage.Maxrss) >> 10
	}
	return int64(usage.Maxrss)
}
