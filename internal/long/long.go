// Package long parts the tests in two: make test tries what shows a mistake soon, and
// make test-long, which CI runs as well, tries everything.
package long

import (
	"hash/fnv"
	"os"
	"testing"
)

// All reports whether everything is to be tried; a golden file is rewritten whole.
func All() bool { return os.Getenv("LONG") != "" || os.Getenv("UPDATE_GOLDEN") != "" }

// Part reports whether case i of a table is to be tried: of n cases make test tries one.
func Part(i, n int) bool { return All() || i%n == 0 }

// Of is how often a thing is tried that is tried as often as one likes: make test tries a
// part of the times.
func Of(times, n int) int {
	if All() {
		return times
	}
	return times / n
}

// Skip leaves a test to make test-long.
func Skip(t *testing.T) {
	t.Helper()
	if !All() {
		t.Skip("make test-long runs this")
	}
}

// Case leaves a case of a table to make test-long: make test tries about one of n, always the same.
func Case(t *testing.T, n uint32) {
	t.Helper()
	h := fnv.New32a()
	_, _ = h.Write([]byte(t.Name()))
	if !All() && h.Sum32()%n != 0 {
		t.Skip("make test-long runs this")
	}
}
