// Package dialogue is what inferstack and the inferstack-build that it starts say to each other, in
// lines of JSON. The builder asks on its standard output for what stacks are compiled to, gets it on its
// standard input, and says last what it has built. So a stack is compiled by a program that runs
// already, and the builder links no compiler.
package dialogue

import (
	"bufio"
	"errors"
	"io"

	"github.com/inferstack/inferstack/internal/lazyjson"
	"github.com/inferstack/inferstack/internal/origin"
)

// A Message is one of the builder's.
type Message struct {
	Generator *Generator `json:"generator,omitempty"` // waits for an Answer
	Built     *Built     `json:"built,omitempty"`     // the last one
}

// A Generator is what a kustomization lists as one that inferstack is.
type Generator struct {
	// Config is its configuration, as YAML.
	Config string `json:"config"`
	// Origin is that of the configuration; nil if it is written out in the kustomization.
	Origin *origin.Origin `json:"origin,omitempty"`
	// File is the kustomization that lists it, absolute.
	File string `json:"file"`
}

// An Answer is what a generator makes, as YAML.
type Answer struct {
	Objects string `json:"objects"`
	// Failed says that there are errors, which have been reported.
	Failed bool `json:"failed,omitempty"`
}

// Built is what a kustomization makes.
type Built struct {
	Text string `json:"text"`
	// Origins are those of the stacks that it prints, if they are asked for.
	Origins []origin.Origin `json:"origins,omitempty"`
	// Functions are the places where kustomize has run inferstack as a function, which has told
	// nobody what it compiled.
	Functions []string `json:"functions,omitempty"`
	// Warnings are of what a kustomization says and what has no effect.
	Warnings []string `json:"warnings,omitempty"`
}

// ErrFailed is the error of a generator whose errors have been reported.
var ErrFailed = errors.New("a stack has errors")

// A side of the dialogue says and hears values, one per line.
type side struct {
	out io.Writer
	in  *bufio.Reader
}

func (s side) say(v any) error {
	_, err := s.out.Write(append(lazyjson.Append(nil, v), '\n'))
	return err
}

func (s side) hear(v any) error {
	line, err := s.in.ReadBytes('\n')
	if err != nil {
		return err
	}
	return lazyjson.Decode(line, v)
}

// A Builder is the side that asks.
type Builder struct{ side }

// NewBuilder speaks by a process's standard streams.
func NewBuilder(in io.Reader, out io.Writer) *Builder {
	return &Builder{side{out, bufio.NewReader(in)}}
}

// Generate asks for what a generator makes.
func (b *Builder) Generate(g Generator) (string, error) {
	if err := b.say(Message{Generator: &g}); err != nil {
		return "", err
	}
	var a Answer
	if err := b.hear(&a); err != nil {
		return "", errors.Join(errors.New("inferstack does not answer"), err)
	}
	if a.Failed {
		return "", ErrFailed
	}
	return a.Objects, nil
}

// Finish says what was built.
func (b *Builder) Finish(built Built) error { return b.say(Message{Built: &built}) }

// Listen answers a builder until it has built. It returns io.EOF when the builder ends before
// that, as it does after an error.
func Listen(from io.Reader, to io.Writer, generate func(Generator) Answer) (Built, error) {
	s := side{to, bufio.NewReader(from)}
	for {
		var m Message
		if err := s.hear(&m); err != nil {
			return Built{}, err
		}
		switch {
		case m.Built != nil:
			return *m.Built, nil
		case m.Generator == nil:
			return Built{}, errors.New("a message that this version does not know")
		}
		if err := s.say(generate(*m.Generator)); err != nil {
			return Built{}, err
		}
	}
}
