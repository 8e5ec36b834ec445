package manifest

import (
	"bytes"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/internal/blockyaml"
	"github.com/inferstack/inferstack/internal/lazyjson"
)

const (
	tagString = "!!str"
	tagNull   = "!!null"
)

// A jsonTree turns the output of json.Marshal into YAML nodes. It reads nothing else,
// so it need not look for mistakes.
type jsonTree struct {
	text []byte
	at   int
	// spare are nodes that were allocated at once, and open what was read of mappings and lists that are not at
	// their end.
	spare []yaml.Node
	open  []*yaml.Node
}

// fill gives a mapping or list what was read since so much was open.
func (t *jsonTree) fill(n *yaml.Node, from int) {
	n.Content = slices.Clone(t.open[from:])
	t.open = t.open[:from]
	if len(n.Content) == 0 {
		n.Style = yaml.FlowStyle
	}
}

// add returns a node of its own for n.
func (t *jsonTree) add(n yaml.Node) *yaml.Node {
	if len(t.spare) == 0 {
		t.spare = make([]yaml.Node, 16)
	}
	added := &t.spare[0]
	t.spare = t.spare[1:]
	*added = n
	return added
}

// value reads the next value, which is depth levels below the object.
func (t *jsonTree) value(depth int) *yaml.Node {
	switch t.text[t.at] {
	case '{':
		return t.mapping(depth)
	case '[':
		return t.sequence(depth)
	case '"':
		return t.add(textOf(t.str()))
	}
	start := t.at
	for t.at < len(t.text) && !bytes.ContainsRune([]byte(",]}\n"), rune(t.text[t.at])) {
		t.at++
	}
	return t.add(literal(string(t.text[start:t.at])))
}

func (t *jsonTree) mapping(depth int) *yaml.Node {
	n := t.add(yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"})
	from := len(t.open)
	for t.at++; t.text[t.at] != '}'; t.comma() {
		key := t.str()
		t.at++ // the colon
		value := t.value(depth + 1)
		if !noise(key, value, depth) {
			t.open = append(t.open, t.add(mappingKey(key)), value)
		}
	}
	t.at++
	t.fill(n, from)
	return n
}

func (t *jsonTree) sequence(depth int) *yaml.Node {
	n := t.add(yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq"})
	from := len(t.open)
	for t.at++; t.text[t.at] != ']'; t.comma() {
		item := t.value(depth + 1)
		t.open = append(t.open, item)
	}
	t.at++
	t.fill(n, from)
	return n
}

func (t *jsonTree) comma() {
	if t.text[t.at] == ',' {
		t.at++
	}
}

func (t *jsonTree) str() string {
	start := t.at
	for t.at++; t.text[t.at] != '"'; t.at++ {
		if t.text[t.at] == '\\' {
			t.at++
		}
	}
	t.at++
	s, _ := lazyjson.Unquote(t.text[start:t.at]) // json wrote it
	return s
}

// noise reports whether a field holds nothing that anybody asked for: the status, nulls,
// and the empty structs that Go types print because omitempty does not leave out a
// struct. Other empty mappings have a meaning: emptyDir: {}, podSelector: {}.
func noise(key string, value *yaml.Node, depth int) bool {
	if key == "status" && depth == 0 || value.Tag == tagNull {
		return true
	}
	if value.Kind != yaml.MappingNode || len(value.Content) > 0 {
		return false
	}
	switch key {
	case "status", "metadata", "resources", "strategy", "updateStrategy", "rolloutStrategy":
		return true
	}
	return false
}

// literal is a number, a boolean or null.
func literal(text string) yaml.Node {
	n := yaml.Node{Kind: yaml.ScalarNode, Value: text, Tag: "!!int"}
	switch {
	case text == "null":
		n.Tag = tagNull
	case text == "true", text == "false":
		n.Tag = "!!bool"
	case strings.ContainsAny(text, ".eE"):
		n.Tag = "!!float"
	}
	return n
}

// Text is a string, written so that every YAML reader takes it for one.
func Text(s string) *yaml.Node { return new(textOf(s)) }

func textOf(s string) yaml.Node {
	n := yaml.Node{Kind: yaml.ScalarNode, Value: s, Tag: tagString}
	switch {
	case strings.Contains(s, "\n") && !strings.HasPrefix(s, "\t") && !strings.Contains(s, "\n\t"):
		n.Style = yaml.LiteralStyle
	case blockyaml.Ambiguous(s), strings.Contains(s, "\n"): // YAML forbids tabs where indentation is expected
		n.Style = yaml.DoubleQuotedStyle
	}
	return n
}

// mappingKey is a key, which stands on one line.
func mappingKey(s string) yaml.Node {
	n := textOf(s)
	if n.Style == yaml.LiteralStyle {
		n.Style = yaml.DoubleQuotedStyle
	}
	return n
}
