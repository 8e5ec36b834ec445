package pods

import (
	"encoding/json"
	"slices"
	"strings"
)

// unquote takes the quotes of a shell off values that are JSON: no shell reads a
// container's arguments, and vLLM refuses to start over them. Other quotes stay as the
// user wrote them.
func (s *Servers) unquote(r *Role) {
	if r.line.launch == LaunchCustom {
		return
	}
	for i := range r.line.Flags {
		f := &r.line.Flags[i]
		inner, ok := quoted(f.Value)
		switch {
		case !ok:
		case json.Valid([]byte(inner)) && strings.ContainsAny(inner, "{["):
			last := len(f.Words) - 1
			f.Words = slices.Clone(f.Words)
			f.Words[last] = strings.TrimSuffix(f.Words[last], f.Value) + inner
			f.Value = inner
			s.On("spec."+r.Name, r.field("args")).Note("%s: the quotes around the JSON are left out: they are for a shell, and without one vLLM takes them for a part of the value and does not start", f.Name)
		default:
			s.On("spec."+r.Name, r.field("args")).Warn("%s: the quotes are a part of the value, %s: no shell takes them off", f.Name, f.Value)
		}
	}
}

// quoted is what stands between two quotes.
func quoted(value string) (string, bool) {
	if len(value) < 2 || value[0] != value[len(value)-1] || !strings.ContainsRune(`'"`, rune(value[0])) {
		return "", false
	}
	return value[1 : len(value)-1], true
}
