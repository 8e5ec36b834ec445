// Package gotemplate evaluates the templates that values files and base configurations
// hold, in the language of text/template and on plain data: maps, lists, strings, numbers
// and booleans.
//
// It is there because text/template calls methods by their names. The linker then keeps
// every exported method of every type in the program (cmd/link/internal/ld/deadcode.go, Go
// 1.26): 7.8 MB in a program of 23, and a thirtieth of the time of one stack. The parser,
// text/template/parse, does no such thing and is used as it is.
//
// What differs: a value that is not there is an error where it is printed, not the text
// "<no value>"; and there are no methods, channels, complex numbers, nor the functions call,
// html, js and urlquery.
package gotemplate

import (
	"fmt"
	"maps"
	"strconv"
	"strings"
	"text/template/parse"
)

// Template is a parsed template.
type Template struct {
	text  string
	trees map[string]*parse.Tree
	funcs Funcs

	// Lenient takes a missing key for a value that is not there, as Helm does, so that a
	// template can give a default. Otherwise it is an error.
	Lenient bool
}

// Error says what is wrong in a template, and where.
type Error struct {
	Line    int
	At      string // the part of the template, if known
	Message string
}

func (e *Error) Error() string {
	if e.At == "" {
		return fmt.Sprintf("template line %d: %s", e.Line, e.Message)
	}
	return fmt.Sprintf("template line %d at <%s>: %s", e.Line, e.At, e.Message)
}

// Parse reads a template that may call the functions and the builtin ones.
func Parse(text string, funcs Funcs) (*Template, error) {
	t := &Template{text: text, trees: map[string]*parse.Tree{}, funcs: maps.Clone(builtins)}
	maps.Copy(t.funcs, funcs)
	known := map[string]any{"and": true, "or": true}
	for name := range t.funcs {
		known[name] = true
	}
	if _, err := parse.New("").Parse(text, "", "", t.trees, known); err != nil {
		return nil, located(err)
	}
	return t, nil
}

// located splits what the parser says: "template: NAME:LINE: MESSAGE", without a name here.
func located(err error) error {
	line, message, _ := strings.Cut(strings.TrimPrefix(err.Error(), "template: :"), ": ")
	n, notANumber := strconv.Atoi(line)
	if notANumber != nil {
		return err
	}
	return &Error{Line: n, Message: message}
}

// Execute returns the text that the template makes of the data.
func (t *Template) Execute(data any) (text string, err error) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case *Error:
			text, err = "", p
		default:
			panic(p)
		}
	}()
	r := &run{Template: t}
	r.include(t.trees[""], data)
	return r.out.String(), nil
}

// run is one execution. It leaves by a panic with an *Error, which Execute catches.
type run struct {
	*Template
	out   strings.Builder
	vars  []variable
	depth int

	steps int // so far, see maxSteps
	bytes int // of the texts made so far, see maxMade
}

type variable struct {
	name  string
	value any
}

func (r *run) fail(at parse.Node, format string, args ...any) {
	panic(&Error{
		Line:    1 + strings.Count(r.text[:at.Position()], "\n"),
		At:      at.String(),
		Message: fmt.Sprintf(format, args...),
	})
}
