// Package long parts the tests in two: make test tries what shows a mistake soon, and
// make test-long, which CI runs as well, tries everything.
package long

import (
	"hash/fnv"
	"os"
	"strconv"
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

// Specs is how many random cases make property asks for, or else the usual number.
func Specs(t *testing.T, usual int) int {
	t.Helper()
	n, err := strconv.Atoi(os.Getenv("SPECS"))
	if err != nil && os.Getenv("SPECS") != "" {
		t.Fatal(err)
	}
	if n == 0 {
		return usual
	}
	return n
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
