// Package untrusted prepares text that came from outside, such as names, labels and values
// of manifests, for terminals, logs and reports.
package untrusted

import (
	"strconv"
	"strings"
	"unicode"
)

// Line is text on one line, without the secrets in it.
func Line(text string) string { return Plain(Redact(text)) }

// Plain is text on one line: what is neither a visible character nor a space is written as
// in a Go string. A line break would begin a line of its own, which GitHub Actions executes
// when it says ::error::, and an escape sequence would reach the terminal.
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

// File is the name of a file at the start of a line. One that would make a workflow command
// of the line is written with its directory: :: of GitHub Actions, ## of Azure Pipelines.
func File(name string) string {
	name = Line(name)
	if trimmed := strings.TrimLeft(name, " "); strings.HasPrefix(trimmed, "::") || strings.HasPrefix(trimmed, "##") {
		return "./" + name
	}
	return name
}

// hidden are control characters, line separators, and what changes the direction of the
// text around it.
func hidden(r rune) bool { return !unicode.IsGraphic(r) }
