// Package long parts the tests in two: make test tries what shows a mistake soon, and
// make test-long, which CI runs as well, tries everything.
package long

import (
	"os"
	"testing"
)

// All reports whether everything is to be tried.
func All() bool { return os.Getenv("LONG") != "" }

// Skip leaves a test to make test-long.
func Skip(t *testing.T) {
	t.Helper()
	if !All() {
		t.Skip("make test-long runs this")
	}
}
