// Package shell knows what little of the shell it takes to read the command lines in scripts.
package shell

import "strings"

// Uncommented is a script without its comments: what follows a # at the start of a word, outside of
// quotes, up to the end of the line. A backslash there joins no lines (POSIX.1-2024, Shell Command
// Language 2.3).
func Uncommented(script string) string {
	if !strings.Contains(script, "#") {
		return script
	}
	var out strings.Builder
	var quote byte
	for i := 0; i < len(script); i++ {
		c := script[i]
		switch {
		case c == '\\' && quote != '\'' && i+1 < len(script):
			out.WriteByte(c)
			i++
			c = script[i]
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '\'' || c == '"'):
			quote = c
		case quote == 0 && c == '#' && (i == 0 || strings.IndexByte(" \t\n;|&(", script[i-1]) >= 0):
			end := strings.IndexByte(script[i:], '\n')
			if end < 0 {
				return out.String()
			}
			i += end
			c = '\n'
		}
		out.WriteByte(c)
	}
	return out.String()
}
