package schema

import (
	"regexp"
	"sync"
)

// patterns holds the regular expressions that were needed so far, by their text.
var patterns sync.Map

// matches reports whether s matches expr, which is compiled at its first use.
func matches(expr, s string) bool {
	re, ok := patterns.Load(expr)
	if !ok {
		re, _ = patterns.LoadOrStore(expr, regexp.MustCompile(expr))
	}
	return re.(*regexp.Regexp).MatchString(s)
}
