package eppconfig

import (
	"fmt"
	"strconv"
	"strings"
)

// Finding is something wrong with an EndpointPickerConfig.
type Finding struct {
	// At is where in the configuration: keys (string) and indexes (int).
	At []any
	// Message says what is wrong, and what is allowed.
	Message string
	// Warning says that the EPP starts all the same.
	Warning bool
	// Unused says that a warning is about something that does nothing and harms nothing.
	Unused bool
	// Asked says that a warning is about servers of a role that no request reaches, or that are
	// asked for and not there.
	Asked bool
	// Starts says that the EPP starts although it is an error: what it is configured for
	// fails.
	Starts bool
	// Value is what was found, where a near one of Known may have been meant.
	Value string
	Known []string
	// Unknown says that it is about a plugin that this version does not have, which an EPP
	// of one's own may.
	Unknown bool
	// Line and Column are known of a text that cannot be read.
	Line, Column int
}

// Path is where in the configuration, such as plugins[0].type.
func (f Finding) Path() string { return path(f.At).String() }

// path is a place in a configuration.
type path []any

func (p path) key(name string) path { return append(p[:len(p):len(p)], name) }
func (p path) index(i int) path     { return append(p[:len(p):len(p)], i) }

func (p path) String() string {
	var out strings.Builder
	for _, step := range p {
		switch step := step.(type) {
		case int:
			out.WriteString("[" + strconv.Itoa(step) + "]")
		case string:
			if out.Len() > 0 {
				out.WriteByte('.')
			}
			out.WriteString(step)
		}
	}
	return out.String()
}

func (j *judge) add(at path, format string, args ...any) *Finding {
	j.findings = append(j.findings, Finding{At: at, Message: fmt.Sprintf(format, args...)})
	return &j.findings[len(j.findings)-1]
}

func (j *judge) warn(at path, format string, args ...any) *Finding {
	f := j.add(at, format, args...)
	f.Warning = true
	return f
}

// near offers the known names beside a wrong one.
func (f *Finding) near(value string, known []string) { f.Value, f.Known = value, known }
