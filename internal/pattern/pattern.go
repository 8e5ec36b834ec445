// Package pattern compiles regular expressions at their first use: a run needs few of them, and
// compiling all would take a tenth of its memory.
package pattern

import (
	"regexp"
	"sync"
)

// Lazy returns a function that returns the compiled expression, the same one each time. It
// panics if the expression is invalid, as regexp.MustCompile does.
func Lazy(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
