package manifest

import (
	"bytes"
	"errors"
	"strings"

	"go.yaml.in/yaml/v3"
)

// AppendYAML appends a tree of block mappings and sequences as go.yaml.in/yaml v3 writes it with
// an indentation of 2 and compact sequences. Its strings are made by Text. It writes the scalars
// that nearly all manifests are made of by itself and leaves a tree with any other one to the
// library, whose events take five times as long.
func AppendYAML(out []byte, n *yaml.Node) []byte {
	if text, ok := appendBlock(out, n, 0); ok {
		return text
	}
	return append(out, libraryYAML(n)...)
}

func libraryYAML(n *yaml.Node) []byte {
	var out bytes.Buffer
	enc := yaml.NewEncoder(&out)
	enc.SetIndent(2)
	enc.CompactSeqIndent()
	check(errors.Join(enc.Encode(n), enc.Close()))
	return out.Bytes()
}

// appendBlock writes the entries of a mapping or sequence, the first where the line stands
// and the others indented. It reports whether it could.
func appendBlock(out []byte, n *yaml.Node, indent int) (_ []byte, ok bool) {
	if len(n.Content) == 0 {
		return out, false
	}
	step := 1
	if n.Kind == yaml.MappingNode {
		step = 2
	}
	for i := 0; i < len(n.Content); i += step {
		if i > 0 {
			out = appendSpaces(out, indent)
		}
		if step == 1 {
			out, ok = appendItem(out, n.Content[i], indent)
		} else {
			out, ok = appendEntry(out, n.Content[i], n.Content[i+1], indent)
		}
		if !ok {
			return out, false
		}
	}
	return out, true
}

func appendItem(out []byte, item *yaml.Node, indent int) ([]byte, bool) {
	out = append(out, "- "...)
	if len(item.Content) > 0 {
		return appendBlock(out, item, indent+2)
	}
	return appendLeaf(out, item, indent+2)
}

// longestKey is the longest key, in bytes, that the library writes without a question mark
// (go.yaml.in/yaml v3.0.5 emitterc.go, yaml_emitter_check_simple_key).
const longestKey = 128

func appendEntry(out []byte, key, value *yaml.Node, indent int) (_ []byte, ok bool) {
	if len(key.Value) > longestKey || key.Style == yaml.LiteralStyle {
		return out, false
	}
	if out, ok = appendScalar(out, key, indent); !ok {
		return out, false
	}
	out = append(out, ':')
	if len(value.Content) == 0 {
		return appendLeaf(append(out, ' '), value, indent+2)
	}
	if value.Kind == yaml.MappingNode {
		indent += 2
	}
	return appendBlock(appendSpaces(append(out, '\n'), indent), value, indent)
}

// appendLeaf writes what has no entries, and ends the line.
func appendLeaf(out []byte, n *yaml.Node, indent int) (_ []byte, ok bool) {
	switch n.Kind {
	case yaml.MappingNode:
		out = append(out, "{}"...)
	case yaml.SequenceNode:
		out = append(out, "[]"...)
	default:
		if out, ok = appendScalar(out, n, indent); !ok {
			return out, false
		}
	}
	return append(out, '\n'), true
}

func appendScalar(out []byte, n *yaml.Node, indent int) ([]byte, bool) {
	s := n.Value
	switch {
	case n.Tag != tagString:
		return append(out, s...), plainLiteral(s)
	case n.Style == yaml.LiteralStyle:
		return appendLiteral(out, s, indent)
	case !printable(s):
		return out, false
	case n.Style == yaml.DoubleQuotedStyle:
		return append(append(append(out, '"'), escape.Replace(s)...), '"'), true
	case plainText(s):
		return append(out, s...), true
	}
	return append(append(append(out, '\''), strings.ReplaceAll(s, "'", "''")...), '\''), true
}

var escape = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

// plainLiteral reports whether the library writes a number or a boolean as it stands: it
// tags one that it would read as another type.
func plainLiteral(s string) bool {
	return s == "true" || s == "false" || len(s) <= 18 && only(strings.TrimPrefix(s, "-"), "0123456789")
}

// printable reports whether the text is of one line of ASCII.
func printable(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// plainText reports whether a line of ASCII needs no quotes for its punctuation (YAML 1.2.2,
// 7.3.3). Words that readers take for something else have their style already.
func plainText(s string) bool {
	if s == "" || s[0] == ' ' || s[len(s)-1] == ' ' || s[len(s)-1] == ':' {
		return false
	}
	if strings.HasPrefix(s, "---") || strings.HasPrefix(s, "...") {
		return false
	}
	if strings.IndexByte("#,[]{}&*!|>'\"%@`", s[0]) >= 0 {
		return false
	}
	if strings.IndexByte("-?:", s[0]) >= 0 && (len(s) == 1 || s[1] == ' ') {
		return false
	}
	return !strings.Contains(s, ": ") && !strings.Contains(s, " #")
}

// appendLiteral writes text of several lines, unless it needs a hint of its indentation, ends
// in empty lines or in blanks.
func appendLiteral(out []byte, s string, indent int) ([]byte, bool) {
	body, ended := strings.CutSuffix(s, "\n")
	if body == "" || body[0] == ' ' || body[0] == '\n' || body[len(body)-1] == '\n' {
		return out, false
	}
	out = append(out, '|')
	if !ended {
		out = append(out, '-')
	}
	for line := range strings.SplitSeq(body, "\n") {
		if !printable(line) || strings.HasSuffix(line, " ") {
			return out, false
		}
		out = append(out, '\n')
		if line != "" {
			out = append(appendSpaces(out, indent), line...)
		}
	}
	return out, true
}

func appendSpaces(out []byte, n int) []byte {
	for range n {
		out = append(out, ' ')
	}
	return out
}
