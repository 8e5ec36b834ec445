//go:build !linux

package collect

// Pages has no effect: only Linux has the choice.
func Pages() {}
