// Package blockyaml writes trees of YAML nodes as the libraries of YAML do, byte for byte, and
// without their events, which take five times as long.
package blockyaml

import (
	"bytes"
	"strings"

	"go.yaml.in/yaml/v3"
)

// A Writer writes block mappings and sequences as go.yaml.in/yaml v2 and v3 do with an indentation of 2
// and compact sequences. It knows the scalars that nearly all manifests are made of.
type Writer struct {
	// Width is the column after which a text breaks at the next single blank, as v2 does at 80; 0 for none.
	Width int
}

const tagString = "!!str"

// Append appends the entries of a mapping or sequence, and reports whether it could write them all.
// A tag says what a scalar is, and the style of a text is literal, double-quoted or left to the writer.
func (w Writer) Append(out []byte, n *yaml.Node) (_ []byte, ok bool) { return w.block(out, n, 0) }

// block writes the entries of a mapping or sequence, the first where the line stands
// and the others indented. It reports whether it could.
func (w Writer) block(out []byte, n *yaml.Node, indent int) (_ []byte, ok bool) {
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
			out, ok = w.item(out, n.Content[i], indent)
		} else {
			out, ok = w.entry(out, n.Content[i], n.Content[i+1], indent)
		}
		if !ok {
			return out, false
		}
	}
	return out, true
}

func (w Writer) item(out []byte, item *yaml.Node, indent int) ([]byte, bool) {
	out = append(out, "- "...)
	if len(item.Content) > 0 {
		return w.block(out, item, indent+2)
	}
	return w.leaf(out, item, indent+2)
}

// longestKey is the longest key, in bytes, that the library writes without a question mark
// (go.yaml.in/yaml v3.0.5 emitterc.go, yaml_emitter_check_simple_key).
const longestKey = 128

func (w Writer) entry(out []byte, key, value *yaml.Node, indent int) (_ []byte, ok bool) {
	if len(key.Value) > longestKey || key.Style == yaml.LiteralStyle {
		return out, false
	}
	if out, ok = appendScalar(out, key, indent); !ok {
		return out, false
	}
	out = append(out, ':')
	if len(value.Content) == 0 {
		return w.leaf(append(out, ' '), value, indent+2)
	}
	if value.Kind == yaml.MappingNode {
		indent += 2
	}
	return w.block(appendSpaces(append(out, '\n'), indent), value, indent)
}

// leaf writes what has no entries, and ends the line.
func (w Writer) leaf(out []byte, n *yaml.Node, indent int) (_ []byte, ok bool) {
	switch n.Kind {
	case yaml.MappingNode:
		out = append(out, "{}"...)
	case yaml.SequenceNode:
		out = append(out, "[]"...)
	default:
		start := len(out)
		if out, ok = appendScalar(out, n, indent); !ok {
			return out, false
		}
		if w.Width > 0 && n.Tag == tagString && n.Style != yaml.LiteralStyle {
			if out, ok = w.broken(out, start, indent); !ok {
				return out, false
			}
		}
	}
	return append(out, '\n'), true
}

// broken breaks the text that starts at an offset at single blanks behind the width.
func (w Writer) broken(out []byte, start, indent int) ([]byte, bool) {
	line := bytes.LastIndexByte(out, '\n') + 1
	if len(out)-line <= w.Width || bytes.IndexByte(out[start:], ' ') < 0 {
		return out, true
	}
	if out[start] == '"' {
		return out, false
	}
	text := string(out[start:])
	inner := text // where a blank may be a break
	if text[0] == '\'' {
		inner = text[1 : len(text)-1]
	}
	out = out[:start+strings.Index(text, inner)]
	for i := range len(inner) {
		single := inner[i] == ' ' && 0 < i && i < len(inner)-1 && inner[i-1] != ' ' && inner[i+1] != ' '
		if single && len(out)-line > w.Width {
			out = append(out, '\n')
			line = len(out)
			out = appendSpaces(out, indent)
			continue
		}
		out = append(out, inner[i])
	}
	return append(out, text[len(text)-(len(text)-len(inner))/2:]...), true
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

// plainLiteral reports whether the library writes a number, a boolean or null as it stands: it
// tags one that it would read as another type.
func plainLiteral(s string) bool {
	whole, fraction, point := strings.Cut(strings.TrimPrefix(s, "-"), ".")
	return s == "true" || s == "false" || s == "null" ||
		len(s) <= 18 && only(whole, digits) && only(fraction, digits) && (!point || whole != "" && fraction != "")
}

const digits = "0123456789"

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
