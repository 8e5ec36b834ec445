package helm

import (
	"fmt"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// mostItems bounds an index of --set, as helm does (helm pkg/strvals, MaxIndex).
const mostItems = 65536

// setValue writes what a --set says into values: path=value, several behind commas
// (helm pkg/strvals). In path, dots and brackets lead on; \ takes a character's meaning.
func setValue(root *yaml.Node, text string, as scalarOf, line int) error {
	for _, part := range split(text, ',') {
		path, value, found := cut(part, '=')
		if !found || path == "" {
			return fmt.Errorf("must be path=value (got %q)", part)
		}
		if err := setPath(root, path, scalarOrList(value, as, line), line); err != nil {
			return err
		}
	}
	return nil
}

// split cuts text at a character outside braces that no \ stands before.
func split(text string, at byte) []string {
	var out []string
	depth, from := 0, 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\':
			i++
		case c == '{':
			depth++
		case c == '}':
			depth--
		case c == at && depth == 0:
			out, from = append(out, text[from:i]), i+1
		}
	}
	return append(out, text[from:])
}

func cut(text string, at byte) (before, after string, found bool) {
	parts := split(text, at)
	if len(parts) == 1 {
		return text, "", false
	}
	return parts[0], text[len(parts[0])+1:], true
}

// unescaped is text without the \ before characters.
func unescaped(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' && i+1 < len(text) {
			i++
		}
		b.WriteByte(text[i])
	}
	return b.String()
}

// setPath walks to a place, makes what is missing on the way, and writes the value.
func setPath(n *yaml.Node, path string, value *yaml.Node, line int) error {
	steps := split(path, '.')
	for i, step := range steps {
		name, rest, indexed := cut(step, '[')
		if name == "" && !indexed {
			return fmt.Errorf("%s: a name is missing between two dots", path)
		}
		slot := field(n, unescaped(name), line, i == len(steps)-1)
		for indexed {
			var number string
			var closed bool
			if number, rest, closed = strings.Cut(rest, "]"); !closed {
				return fmt.Errorf("%s: a [ without ]", path)
			}
			index, err := strconv.Atoi(number)
			if err != nil || index < 0 || index > mostItems {
				return fmt.Errorf("%s: an index must be a number from 0 to %d (got %q)", path, mostItems, number)
			}
			slot = item(slot, index, line)
			rest, indexed = strings.CutPrefix(rest, "[")
		}
		if i == len(steps)-1 {
			*slot = *value
			return nil
		}
		if slot.Kind != yaml.MappingNode {
			*slot = yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Line: line, Column: 1}
		}
		n = slot
	}
	return nil
}

// field is the value of a key, which is made when it is missing; one that is set stands where that is
// said.
func field(n *yaml.Node, name string, line int, set bool) *yaml.Node {
	if at := keyAt(n, name); at >= 0 {
		if set {
			n.Content[at].Line, n.Content[at].Column = line, 1
		}
		return n.Content[at+1]
	}
	key := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: name, Line: line, Column: 1}
	value := null(line)
	n.Content = append(n.Content, key, value)
	return value
}

// item is an entry of a list, which grows as far as need be.
func item(n *yaml.Node, index, line int) *yaml.Node {
	if n.Kind != yaml.SequenceNode {
		*n = yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq", Line: line, Column: 1}
	}
	for len(n.Content) <= index {
		n.Content = append(n.Content, null(line))
	}
	return n.Content[index]
}

func null(line int) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null", Value: "null", Line: line, Column: 1}
}

// scalarOrList is a value: {a,b} is a list.
func scalarOrList(text string, as scalarOf, line int) *yaml.Node {
	inner, ok := strings.CutPrefix(text, "{")
	if !ok || !strings.HasSuffix(inner, "}") {
		out := as(text)
		out.Kind, out.Line, out.Column = yaml.ScalarNode, line, 1
		return out
	}
	list := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq", Line: line, Column: 1}
	if inner == "}" {
		return list
	}
	for _, e := range split(strings.TrimSuffix(inner, "}"), ',') {
		list.Content = append(list.Content, scalarOrList(e, as, line))
	}
	return list
}

// A scalarOf is what a flag takes a value for.
type scalarOf func(text string) *yaml.Node

// typed is a value of --set: null, true, false and whole numbers without a leading zero are no
// text.
func typed(text string) *yaml.Node {
	out := quoted(text)
	switch _, err := strconv.ParseInt(text, 10, 64); {
	case text == "null":
		out.Tag = "!!null"
	case text == "true" || text == "false":
		out.Tag = "!!bool"
	case err == nil && (text == "0" || !strings.HasPrefix(text, "0")):
		out.Tag = "!!int"
	}
	return out
}

// quoted is a value of --set-string.
func quoted(text string) *yaml.Node { return &yaml.Node{Tag: "!!str", Value: unescaped(text)} }
