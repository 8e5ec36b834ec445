package document

import (
	"slices"

	"go.yaml.in/yaml/v3"
)

// A pair is a key of a mapping and its value.
type pair struct{ key, value *yaml.Node }

const mergeTag = "!!merge"

// pairs lists the keys of a mapping, with those that merge keys bring in. A key
// written in the mapping wins over a merged one, and an earlier merged mapping
// over a later one (YAML merge key language-independent type, 2005).
func pairs(n *yaml.Node) []pair {
	var m merger
	m.add(n, maxDepth)
	return m.out
}

// A merger collects keys. Those of the mappings before are in have, once there is more than one.
type merger struct {
	out  []pair
	have map[string]bool
}

func (m *merger) add(n *yaml.Node, depth int) {
	if n = resolve(n); n == nil || n.Kind != yaml.MappingNode || depth == 0 {
		return
	}
	var merged []*yaml.Node
	own := len(m.out)
	for i := 0; i+1 < len(n.Content); i += 2 {
		k, v := resolve(n.Content[i]), n.Content[i+1]
		switch {
		case k.Kind == yaml.ScalarNode && k.ShortTag() == mergeTag:
			merged = append(merged, v)
		case !m.have[k.Value]:
			m.out = append(m.out, pair{k, v})
		}
	}
	if len(merged) > 0 || m.have != nil {
		m.remember(m.out[own:])
	}
	for _, v := range merged {
		v = resolve(v)
		if v.Kind != yaml.SequenceNode {
			m.add(v, depth-1)
			continue
		}
		for _, e := range v.Content {
			m.add(e, depth-1)
		}
	}
}

func (m *merger) remember(own []pair) {
	if m.have == nil {
		m.have = make(map[string]bool, len(own))
	}
	for _, p := range own {
		m.have[p.key.Value] = true
	}
}

func has(ps []pair, key string) bool {
	return slices.ContainsFunc(ps, func(p pair) bool { return p.key.Value == key })
}
