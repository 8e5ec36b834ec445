// Package argv reads the command lines of the programs that a stack starts: which words are flags, and
// which are their values.
package argv

import (
	"iter"
	"slices"
	"strconv"
	"strings"
)

// A Word of a command line is a flag with its value, or a word that belongs to none.
type Word struct {
	// Name is the flag with its dashes, or the word itself.
	Name string
	// Value is empty for a switch.
	Value string
	// Words are as they were written: the flag, and its value where that follows.
	Words []string
	// At is the place of the first of them.
	At int
}

// Of yields the words of a command line. What follows a flag without "=" is its value, unless it is a
// flag itself.
func Of(words []string) iter.Seq[Word] {
	return func(yield func(Word) bool) {
		for i := 0; i < len(words); {
			w := Word{Name: words[i], Words: words[i : i+1], At: i}
			if w.IsFlag() {
				name, value, joined := strings.Cut(words[i], "=")
				if w.Name, w.Value = name, value; !joined && i+1 < len(words) && !takenForFlag(words[i+1]) {
					w.Value, w.Words = words[i+1], words[i:i+2]
				}
			}
			if !yield(w) {
				return
			}
			i += len(w.Words)
		}
	}
}

// Split is the list of the words of a command line.
func Split(words []string) []Word { return slices.Collect(Of(words)) }

// takenForFlag tells a flag from a negative number.
func takenForFlag(word string) bool {
	if !strings.HasPrefix(word, "-") {
		return false
	}
	_, err := strconv.ParseFloat(word, 64)
	return err != nil
}

// IsFlag reports whether the word is a flag.
func (w Word) IsFlag() bool { return strings.HasPrefix(w.Name, "-") }

// Flag is the name without its dashes.
func (w Word) Flag() string { return strings.TrimLeft(w.Name, "-") }

// Joined reports whether the value is written behind the name, as in --port=8000.
func (w Word) Joined() bool { return len(w.Words) == 1 && len(w.Words[0]) > len(w.Name) }

// Detached reports whether the value is a word of its own, as in --port 8000.
func (w Word) Detached() bool { return len(w.Words) == 2 }

// Hyphened is the name of a flag with hyphens: the argument parser of vLLM takes underscores for them.
func Hyphened(name string) string { return strings.ReplaceAll(name, "_", "-") }
