package finding

import (
	"strconv"
	"strings"

	"github.com/inferstack/inferstack/internal/untrusted"
)

// Steps splits a path at its dots and brackets.
func Steps(path string) (out []string) {
	for path != "" {
		if path[0] == '[' {
			name, rest, _ := strings.Cut(path[1:], "]")
			out, path = append(out, name), strings.TrimPrefix(rest, ".")
			continue
		}
		i := strings.IndexAny(path, ".[")
		if i < 0 {
			return append(out, path)
		}
		out = append(out, path[:i])
		path = strings.TrimPrefix(path[i:], ".")
	}
	return out
}

// Join is the path of a field or, where it has no name, of an entry of a list.
func Join(up, name string, index int) string {
	switch {
	case name == "" && index >= 0:
		return up + "[" + strconv.Itoa(index) + "]"
	case !plainName(name):
		return up + "[" + untrusted.Redact(name) + "]"
	case up == "":
		return name
	}
	return up + "." + name
}

// plainName reports whether a key can follow a dot in a path.
func plainName(s string) bool {
	for i, r := range s {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '_' || r == '$'
		if !letter && (i == 0 || r != '-' && (r < '0' || r > '9')) {
			return false
		}
	}
	return s != "" && len(s) < 64
}

// Indexed is the path of an entry of the list at path.
func Indexed(path string, i int) string { return path + "[" + strconv.Itoa(i) + "]" }

// Within reports whether path is top or below it.
func Within(path, top string) bool {
	rest, ok := strings.CutPrefix(path, top)
	return ok && (rest == "" || top == "" || rest[0] == '.' || rest[0] == '[')
}
