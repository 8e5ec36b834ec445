package kustomization

import (
	"cmp"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/api/resmap"
	"sigs.k8s.io/kustomize/kyaml/yaml"
	sigsyaml "sigs.k8s.io/yaml"

	"github.com/inferstack/inferstack/internal/blockyaml"
)

// printed is how kustomize prints: sigs.k8s.io/yaml v1.6.0, which writes with go.yaml.in/yaml v2.
var printed = blockyaml.Writer{Width: 80}

// asYAML is resmap.ResMap.AsYaml, which writes and reads each object four times until its keys are sorted:
// a third of the time of a build. An object with something rare in it is left to that. The trees of the
// objects are sorted in place.
func asYAML(made resmap.ResMap) ([]byte, error) {
	var out []byte
	for i, res := range made.Resources() {
		if i > 0 {
			out = append(out, "---\n"...)
		}
		if n := res.YNode(); sorted(n) {
			if text, ok := printed.Append(out, n); ok {
				out = text
				continue
			}
		}
		text, err := res.AsYAML()
		if err != nil {
			return made.AsYaml() // whose error names the object
		}
		out = append(out, text...)
	}
	return out, nil
}

// sorted makes a tree what is printed of it, with the keys of mappings sorted. It reports whether it could.
func sorted(n *yaml.Node) bool {
	switch n.Kind {
	case yaml.ScalarNode:
		return scalar(n)
	case yaml.SequenceNode:
		return n.ShortTag() == yaml.NodeTagSeq && !slices.ContainsFunc(n.Content, func(item *yaml.Node) bool { return !sorted(item) })
	case yaml.MappingNode:
		return n.ShortTag() == yaml.NodeTagMap && mapping(n)
	}
	return false // an alias
}

func mapping(n *yaml.Node) bool {
	pairs := make([]pair, 0, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		if !isName(key) || !scalar(key) || !sorted(value) {
			return false
		}
		pairs = append(pairs, pair{key, value})
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
	return n.Kind == yaml.ScalarNode && n.ShortTag() == yaml.NodeTagString &&
		(len(n.Value) < longNumber || len(strings.Map(digitsOnly, n.Value)) < longNumber)
}

func digitsOnly(r rune) rune {
	if '0' <= r && r <= '9' {
		return r
	}
	return -1
}

type pair struct{ key, value *yaml.Node }

// scalar gives a scalar the tag and the style by which it is printed. It reports whether it could.
func scalar(n *yaml.Node) bool {
	n.Tag = n.ShortTag()
	switch n.Tag {
	case yaml.NodeTagNull:
		n.Value = "null"
		return true
	case yaml.NodeTagBool:
		return n.Value == "true" || n.Value == "false"
	case yaml.NodeTagInt:
		return decimal(n.Value)
	case yaml.NodeTagString:
		if n.Style&yaml.FoldedStyle != 0 {
			return false
		}
		n.Style = style(n.Value)
		return true
	}
	return false
}

// decimal reports whether an integer is written as it is printed.
func decimal(s string) bool {
	digits := strings.TrimPrefix(s, "-")
	return s == "0" || digits != "" && digits[0] != '0' && len(digits) < longNumber && strings.Trim(digits, "0123456789") == ""
}

// longNumber is how many digits may be too many for 64 bits.
const longNumber = 18

// style is the style of a text. The library knows best what it reads as a number, but is slow.
func style(s string) yaml.Style {
	if strings.Contains(s, "\n") {
		return yaml.LiteralStyle
	}
	if blockyaml.Ambiguous(s) {
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
