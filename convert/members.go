package convert

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// another is a value of the same type: a field that is not read would not show when the
// other value were of the wrong one.
func another(n *yaml.Node) string {
	switch n.ShortTag() {
	case "!!bool":
		return strconv.FormatBool(!slices.Contains([]string{"true", "yes", "on", "y"}, strings.ToLower(n.Value)))
	case "!!int":
		if i, err := strconv.Atoi(n.Value); err == nil {
			return strconv.Itoa(i + 1)
		}
		return "7"
	case "!!float":
		return "0.7" + strings.TrimLeft(n.Value, "+-.0")
	}
	digits := len(n.Value) - len(strings.TrimLeft(n.Value, "0123456789"))
	if number, err := strconv.Atoi(n.Value[:digits]); err == nil {
		return strconv.Itoa(number+1) + n.Value[digits:] // a quantity, or a time
	}
	return n.Value + "x"
}

// A member is a field of a mapping or an item of a list.
type member struct {
	name  string // empty for an item
	index int
	value *yaml.Node
}

func fields(n *yaml.Node) (out []member) {
	switch n.Kind {
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			out = append(out, member{name: n.Content[i].Value, value: n.Content[i+1]})
		}
	case yaml.SequenceNode:
		for i, e := range n.Content {
			out = append(out, member{index: i, value: e})
		}
	}
	return out
}

// joined is the path of a member; a name with a dot in it is in brackets.
func joined(path string, m member) string {
	switch {
	case m.name == "":
		return fmt.Sprintf("%s[%d]", path, m.index)
	case strings.ContainsAny(m.name, ".["):
		return path + "[" + m.name + "]"
	}
	return path + "." + m.name
}
