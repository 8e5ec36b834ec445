package apiserver

import "strings"

// explained are the warnings that are right and that no manifest can avoid, with the reason.
var explained = []struct{ text, reason string }{}

// expected returns why a warning is not a fault, or nothing.
func expected(warning string) string {
	for _, e := range explained {
		if strings.Contains(warning, e.text) {
			return e.reason
		}
	}
	return ""
}
