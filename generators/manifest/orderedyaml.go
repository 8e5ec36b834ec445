package manifest

import (
	"maps"
	"math"
	"slices"
	"strconv"

	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/internal/freeform"
)

// Ordered writes free-form data with the named keys first, in that order, and the
// others by the alphabet. What YAML 1.1 would not read as text is quoted.
func Ordered(v any, first []string) string {
	return string(AppendYAML(nil, orderedNode(v, first)))
}

func orderedNode(v any, first []string) *yaml.Node {
	switch v := v.(type) {
	case map[string]any:
		node := &yaml.Node{Kind: yaml.MappingNode}
		for _, key := range orderedKeys(v, first) {
			node.Content = append(node.Content, new(mappingKey(key)), orderedNode(v[key], first))
		}
		return node
	case []any:
		node := &yaml.Node{Kind: yaml.SequenceNode}
		for _, element := range v {
			node.Content = append(node.Content, orderedNode(element, first))
		}
		return node
	case int64:
		return new(literal(strconv.FormatInt(v, 10)))
	case int:
		return new(literal(strconv.Itoa(v)))
	case float64:
		if v == math.Trunc(v) && math.Abs(v) < 1<<53 {
			return new(literal(strconv.FormatInt(int64(v), 10)))
		}
		return leaf(v)
	default:
		return leaf(v)
	}
}

func orderedKeys(m map[string]any, first []string) []string {
	rank := func(key string) int {
		if i := slices.Index(first, key); i >= 0 {
			return i
		}
		return len(first)
	}
	keys := slices.Sorted(maps.Keys(m))
	slices.SortStableFunc(keys, func(a, b string) int { return rank(a) - rank(b) })
	return keys
}

// leaf leaves it to the library how a value is to be spelled, which is slow, unless it is
// a text.
func leaf(v any) *yaml.Node {
	if s, ok := v.(string); ok {
		return Text(s)
	}
	node := &yaml.Node{}
	check(node.Encode(v))
	return node
}

// Clone copies free-form data.
func Clone(m map[string]any) map[string]any {
	out := make(map[string]any, len(m))
	for key, value := range m {
		out[key] = freeform.Copy(value)
	}
	return out
}

func check(err error) {
	if err != nil {
		panic(err) // free-form data of the spec marshals
	}
}
