package pattern

import (
	"regexp"
	"sync"
)

// patterns holds the regular expressions that were needed so far, by their text.
var patterns sync.Map

// Compile returns the compiled expression, the same one each time.
func Compile(expr string) (*regexp.Regexp, error) {
	if re, ok := patterns.Load(expr); ok {
		return re.(*regexp.Regexp), nil
	}
	re, err := regexp.Compile(expr)
	if err == nil {
		patterns.Store(expr, re)
	}
	return re, err
}

// Matches reports whether s matches expr. It panics if that is invalid, as regexp.MustCompile does.
func Matches(expr, s string) bool {
	re, err := Compile(expr)
	if err != nil {
		panic(err)
	}
	return re.MatchString(s)
}
