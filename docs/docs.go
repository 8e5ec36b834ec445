// Package docs carries the field reference, so that the program can print it.
package docs

import _ "embed" // for Reference

// Reference is the field reference in Markdown, made from schema/*.cue.
//
//go:embed reference.md
var Reference string
