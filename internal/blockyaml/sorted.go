package blockyaml

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
	sigsyaml "sigs.k8s.io/yaml"
)

// AppendSorted appends an object as kustomize prints it, with sigs.k8s.io/yaml v1.6.0 and so with
// go.yaml.in/yaml v2.4.4, and reports whether it could.
func AppendSorted(out []byte, n *yaml.Node) (_ []byte, ok bool) {
	var printed yaml.Node
	if !sorted(&printed, n) {
		return out, false
	}
	return Writer{Width: sortedWidth}.Append(out, &printed)
}

// sortedWidth is the column behind which v2 breaks texts (emitterc.go yaml_emitter_emit_stream_start).
const sortedWidth = 80

// sorted makes of a tree what is printed of it, with the keys of mappings sorted. It reports whether it could. The
// tree itself stays as it is: a style changes how what is left to kustomize is read again.
func sorted(n, of *yaml.Node) bool {
	n.Kind = of.Kind
	switch of.Kind {
	case yaml.ScalarNode:
		return scalar(n, of)
	case yaml.SequenceNode:
		return of.ShortTag() == "!!seq" && entries(n, of)
	case yaml.MappingNode:
		return of.ShortTag() == "!!map" && mapping(n, of)
	}
	return false // an alias
}

func entries(n, of *yaml.Node) bool {
	nodes := make([]yaml.Node, len(of.Content))
	n.Content = make([]*yaml.Node, len(of.Content))
	for i := range nodes {
		n.Content[i] = &nodes[i]
		if !sorted(&nodes[i], of.Content[i]) {
			return false
		}
	}
	return true
}

func mapping(n, of *yaml.Node) bool {
	for i := 0; i < len(of.Content); i += 2 {
		if !isName(of.Content[i]) {
			return false
		}
	}
	if !entries(n, of) {
		return false
	}
	pairs := make([]pair, 0, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		pairs = append(pairs, pair{n.Content[i], n.Content[i+1]})
	}
	slices.SortFunc(pairs, func(a, b pair) int { return byName(a.key.Value, b.key.Value) })
	for i, p := range pairs {
		if i > 0 && p.key.Value == pairs[i-1].key.Value {
			return false // is an error
		}
		n.Content[2*i], n.Content[2*i+1] = p.key, p.value
	}
	return true
}

// isName reports whether a key is a text, and without a number that is too large to be sorted by.
func isName(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && n.ShortTag() == tagString &&
		(len(n.Value) < longNumber || len(strings.Map(digitsOnly, n.Value)) < longNumber)
}

func digitsOnly(r rune) rune {
	if '0' <= r && r <= '9' {
		return r
	}
	return -1
}

type pair struct{ key, value *yaml.Node }

// scalar makes of a scalar what is printed of it, with its tag and style. It reports whether it could.
func scalar(n, of *yaml.Node) bool {
	n.Tag, n.Value = of.ShortTag(), of.Value
	switch n.Tag {
	case "!!null":
		n.Value = "null"
		return true
	case "!!bool":
		return n.Value == "true" || n.Value == "false"
	case "!!int":
		return decimal(n.Value)
	case "!!float":
		return fractional(n.Value)
	case tagString:
		n.Style = style(n.Value)
		return of.Style&yaml.FoldedStyle == 0
	}
	return false
}

// decimal reports whether an integer is written as it is printed.
func decimal(s string) bool {
	unsigned := strings.TrimPrefix(s, "-")
	return s == "0" || unsigned != "" && unsigned[0] != '0' && len(unsigned) < longNumber && only(unsigned, digits)
}

// fractional reports whether a number with a point is written as it is printed.
func fractional(s string) bool {
	f, err := strconv.ParseFloat(s, 64)
	return err == nil && strings.Contains(s, ".") && !strings.ContainsAny(s, "eE") && strconv.FormatFloat(f, 'g', -1, 64) == s
}

// longNumber is how many digits may be too many for 64 bits.
const longNumber = 18

// style is the style of a text. The library knows best what it reads as a number, but is slow.
func style(s string) yaml.Style {
	if strings.Contains(s, "\n") {
		return yaml.LiteralStyle
	}
	if Ambiguous(s) {
		if text, err := sigsyaml.Marshal(s); err != nil || text[0] == '"' {
			return yaml.DoubleQuotedStyle
		}
	}
	return 0
}

// byName is the order of keys (go.yaml.in/yaml v2.4.4 sorter.go): other characters come before digits and
// those before letters, and digits count as the number that they are.
func byName(a, b string) int {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	if i == len(a) || i == len(b) {
		return cmp.Compare(len(a), len(b))
	}
	if isDigit(a[i]) && isDigit(b[i]) {
		x, y := number(a, i), number(b, i)
		return cmp.Or(byValue(x, y), cmp.Compare(len(x), len(y)))
	}
	return cmp.Or(cmp.Compare(class(a[i]), class(b[i])), cmp.Compare(a[i], b[i]))
}

// number returns the digits around an offset.
func number(s string, at int) string {
	from, to := at, at
	for from > 0 && isDigit(s[from-1]) {
		from--
	}
	for to < len(s) && isDigit(s[to]) {
		to++
	}
	return s[from:to]
}

func byValue(x, y string) int {
	x, y = strings.TrimLeft(x, "0"), strings.TrimLeft(y, "0")
	return cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(x, y))
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func class(c byte) int {
	switch {
	case isDigit(c):
		return 1
	case 'a' <= c|' ' && c|' ' <= 'z':
		return 2
	}
	return 0
}
