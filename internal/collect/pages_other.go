//go:build !linux

package collect

// reserve has no effect: only Linux has the choice.
func reserve(int) {}

func unused(int) int { return 0 }
