package wiring

import (
	"strconv"
	"strings"
	"unicode"
)

// Plain is text from a manifest on one line of a terminal or a log: what is not a visible
// character or a space is written as in a Go string. Names and labels come from whoever
// wrote the manifests. A line break in one would begin a line of its own, which GitHub
// Actions executes when it says ::error::, and an escape sequence would reach the terminal.
func Plain(text string) string {
	if !strings.ContainsFunc(text, hidden) {
		return text
	}
	var out strings.Builder
	for _, r := range text {
		if hidden(r) {
			quoted := strconv.QuoteRune(r)
			out.WriteString(quoted[1 : len(quoted)-1])
			continue
		}
		out.WriteRune(r)
	}
	return out.String()
}

// hidden are control characters, line separators, and what changes the direction of the
// text around it.
func hidden(r rune) bool { return !unicode.IsGraphic(r) }
