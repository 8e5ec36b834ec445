package kserve

import (
	"strings"
)

// A script is a text for a shell, and the variables of its container.
type script struct {
	text      string
	variables map[string]string
	arguments []string // $@
}

// words splits what a shell would run as one plain command. What it cannot follow, as pipes,
// substitutions or a second command, makes it none.
func (s script) words() (out []string, ok bool) {
	sp := &splitter{script: s, in: []rune(strings.TrimSpace(s.text))}
	for sp.pos < len(sp.in) {
		if !sp.step() {
			return nil, false
		}
	}
	sp.end()
	return sp.out, sp.quote == 0
}

// A splitter goes through a script.
type splitter struct {
	script
	in    []rune
	pos   int
	quote rune
	word  strings.Builder
	open  bool // there is a word, if an empty one
	out   []string
}

func (sp *splitter) end() {
	if sp.open {
		sp.out = append(sp.out, sp.word.String())
	}
	sp.word.Reset()
	sp.open = false
}

func (sp *splitter) put(r rune) {
	sp.word.WriteRune(r)
	sp.open = true
}

// step takes the next character, and reports whether it can be followed.
func (sp *splitter) step() bool {
	r := sp.in[sp.pos]
	sp.pos++
	switch {
	case sp.quote == '\'' && r != '\'', sp.quote == '"' && r != '"' && !strings.ContainsRune("\\$`", r):
		sp.put(r)
	case r == sp.quote:
		sp.quote = 0
	case r == '\\':
		return sp.escaped()
	case r == '$':
		return sp.variable()
	case r == '`':
		return false
	case r == '\'' || r == '"':
		sp.quote, sp.open = r, true
	case r == ' ' || r == '\t':
		sp.end()
	case r == '\n':
		sp.end()
		return len(sp.out) == 0 || strings.TrimSpace(string(sp.in[sp.pos:])) == ""
	case strings.ContainsRune("|&;<>()", r), r == '#' && !sp.open:
		return false
	default:
		sp.put(r)
	}
	return true
}

// escaped takes what a backslash protects. A line that ends with one goes on.
func (sp *splitter) escaped() bool {
	if sp.pos == len(sp.in) {
		return false
	}
	r := sp.in[sp.pos]
	sp.pos++
	switch {
	case r == '\n':
	case sp.quote == '"' && !strings.ContainsRune("\\\"$`", r):
		sp.put('\\')
		sp.put(r)
	default:
		sp.put(r)
	}
	return true
}

// variable puts the value of a variable of the container in its place: whole between quotes,
// as several words without. $(NAME) is the kubelet's, which has replaced it before.
func (sp *splitter) variable() bool {
	rest := string(sp.in[sp.pos:])
	if strings.HasPrefix(rest, "@") {
		sp.pos++
		sp.split(sp.arguments)
		return true
	}
	name, length, ok := reference(rest)
	if !ok {
		return false
	}
	sp.pos += length
	value := sp.variables[name]
	if sp.quote == '"' {
		for _, r := range value {
			sp.put(r)
		}
		sp.open = true
		return true
	}
	sp.split(strings.Fields(value))
	return true
}

func (sp *splitter) split(words []string) {
	for i, word := range words {
		if i > 0 {
			sp.end()
		}
		for _, r := range word {
			sp.put(r)
		}
	}
}

// reference is the name of a variable behind its $, and how many characters name it.
func reference(rest string) (name string, length int, ok bool) {
	braced := strings.HasPrefix(rest, "{")
	rest = strings.TrimPrefix(rest, "{")
	end := strings.IndexFunc(rest, func(r rune) bool {
		return r != '_' && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9')
	})
	if end < 0 {
		end = len(rest)
	}
	name = rest[:end]
	if !braced {
		return name, end, end > 0
	}
	return name, end + 2, end > 0 && strings.HasPrefix(rest[end:], "}")
}
