package serving

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/convert/draft"
)

// A RoleLine is the command line of a role, and the field of the document it came from.
type RoleLine struct {
	Role, From string
	*CommandLine
}

// A Lift moves flags that a stack has a field for out of the command lines of its servers,
// which all have one value.
type Lift struct {
	*draft.Part
	Lines       []RoleLine
	moved, same map[string][]string // by the field that the line came from
}

// A Setting is a flag and the field of the stack that means it.
type Setting struct {
	Flag, To string
	// Default is what the stack has without the field.
	Default string
	// Old are fields of the document that mean the flag too, and must not say otherwise.
	Old []string
	// Value is the flag's value as the field wants it, or nil to leave the flag alone.
	Value func(word string) any
}

// Text keeps a flag's value as it is.
func Text(word string) any { return word }

// Field moves one flag.
func (l *Lift) Field(s Setting) {
	word, from, found := l.agreed(s.Flag)
	if !found {
		return
	}
	value := s.Value(word)
	if value == nil {
		return
	}
	for _, line := range l.Lines {
		line.Take(s.Flag)
	}
	l.set(s, flagWord{"--" + s.Flag, word}, from, value)
}

// A flagWord is a flag with its value, as a remark has it.
type flagWord struct{ name, value string }

func (f flagWord) String() string {
	if f.value == "" {
		return f.name
	}
	return f.name + "=" + f.value
}

// set writes a field, unless it says the same anyway or the document says otherwise.
func (l *Lift) set(s Setting, flag flagWord, from string, value any) {
	for _, old := range s.Old {
		if n := l.Doc.At(old); n != nil && n.Kind == yaml.ScalarNode && n.ShortTag() != "!!null" && n.Value != flag.value {
			l.Lost(from, "%s contradicts %s, which says %s", flag, old, n.Value)
			return
		}
	}
	if have := draft.Unless(l.Draft.Text(s.To), s.Default); have == flag.value {
		l.same[from] = append(l.same[from], flag.String())
		return
	}
	l.Set(s.To, value, from)
	l.moved[from] = append(l.moved[from], flag.name)
}

// agreed is the value that a flag has wherever it is. Two that differ are one too many.
func (l *Lift) agreed(flag string) (word, from string, found bool) {
	for _, line := range l.Lines {
		other, there := line.Value(flag)
		switch {
		case !there:
		case !found:
			word, from, found = other, line.From, true
		case other != word:
			l.Lost(line.From, "--%s=%s, where %s says %s: the servers of a stack have one value", flag, other, from, word)
			line.Take(flag)
		}
	}
	return word, from, found
}

// everywhere reports whether all roles have a flag with one value.
func (l *Lift) everywhere(flag string) bool {
	first, _ := l.Lines[0].Value(flag)
	return !slices.ContainsFunc(l.Lines, func(line RoleLine) bool {
		word, there := line.Value(flag)
		return !there || word != first
	})
}

// NewLift starts to move flags.
func NewLift(p *draft.Part, lines ...RoleLine) *Lift {
	return &Lift{Part: p, Lines: lines, moved: map[string][]string{}, same: map[string][]string{}}
}

// Say remarks on what was moved.
func (l *Lift) Say() {
	for _, line := range l.Lines {
		at := l.On("spec."+line.Role, line.From)
		if flags := l.moved[line.From]; len(flags) > 0 {
			at.Note("%s: fields of their own say it now", strings.Join(slices.Compact(flags), ", "))
		}
		if flags := l.same[line.From]; len(flags) > 0 {
			at.Dropped().Note("%s: left out, since it is so anyway", strings.Join(flags, ", "))
		}
	}
}
