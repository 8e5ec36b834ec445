//go:build linux || darwin

package fn

import (
	"errors"
	"os"
	"syscall"
)

// lock holds a directory against other runs until it is closed, or the process ends in
// whatever way. Not every file system can: held reports whether this one does.
func lock(dir *os.File) (held bool, err error) {
	err = syscall.Flock(int(dir.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return false, errBusy
	}
	return err == nil, nil
}
