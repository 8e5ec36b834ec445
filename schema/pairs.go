package schema

import "go.yaml.in/yaml/v3"

// A pair is a key of a mapping and its value.
type pair struct{ key, value *yaml.Node }

const mergeTag = "!!merge"

// pairs lists the keys of a mapping, with those that merge keys bring in. A key
// written in the mapping wins over a merged one, and an earlier merged mapping
// over a later one (YAML merge key language-independent type, 2005).
func pairs(n *yaml.Node) []pair {
	return appendPairs(nil, n, maxDepth)
}

func appendPairs(out []pair, n *yaml.Node, depth int) []pair {
	if n = resolve(n); n == nil || n.Kind != yaml.MappingNode || depth == 0 {
		return out
	}
	var merged []*yaml.Node
	own := len(out)
	for i := 0; i+1 < len(n.Content); i += 2 {
		k, v := resolve(n.Content[i]), n.Content[i+1]
		switch {
		case k.Kind == yaml.ScalarNode && k.ShortTag() == mergeTag:
			merged = append(merged, v)
		case own == 0 || !has(out[:own], k.Value):
			out = append(out, pair{k, v})
		}
	}
	for _, m := range merged {
		m = resolve(m)
		if m.Kind != yaml.SequenceNode {
			out = appendPairs(out, m, depth-1)
			continue
		}
		for _, e := range m.Content {
			out = appendPairs(out, e, depth-1)
		}
	}
	return out
}

func has(ps []pair, key string) bool {
	for _, p := range ps {
		if p.key.Value == key {
			return true
		}
	}
	return false
}
