package pattern

import (
	"regexp"
	"sync"
)

// patterns holds the regular expressions that were needed so far, by their text.
var patterns sync.Map

// Matches reports whether s matches expr, which is compiled at its first use.
func Matches(expr, s string) bool {
	re, ok := patterns.Load(expr)
	if !ok {
		re, _ = patterns.LoadOrStore(expr, regexp.MustCompile(expr))
	}
	return re.(*regexp.Regexp).MatchString(s)
}
