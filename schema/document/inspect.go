package document

import (
	"math"
	"strconv"

	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/internal/untrusted"
)

// Limits of a document. A spec of some thousand nodes is a large one; what lies
// far above is an alias bomb or a mistake.
const (
	maxDepth = 100
	maxNodes = 100_000
	maxKeys  = 10_000 // of one mapping
)

// An inspector checks what no schema says: that a document is finite, that no
// key stands twice, that every key is a string, and that no secret is in it.
type inspector struct {
	w    *walker
	keys bool               // check nothing but keys
	wide bool               // a mapping has too many keys
	size map[*yaml.Node]int // nodes below an anchored node, aliases expanded; 0 while counting
}

// inspect reports to w, and is false when the document must not be walked.
func inspect(w *walker, root *place) bool {
	return (&inspector{w: w}).run(root)
}

// inspectKeys is inspect for a document of another kind: only its keys matter.
func inspectKeys(w *walker, root *place) {
	(&inspector{w: w, keys: true}).run(root)
}

func (in *inspector) run(root *place) bool {
	in.size = map[*yaml.Node]int{}
	switch n := in.count(root.node, 0); {
	case n == endless:
		in.w.problem(root, nil, "nested deeper than %d levels, or an alias that contains itself", maxDepth)
		return false
	case n > maxNodes:
		in.w.problem(root, nil, "too large: more than %d values once aliases are expanded", maxNodes)
		return false
	}
	in.node(root)
	return !in.wide
}

const endless = math.MaxInt

// count is the number of nodes with every alias expanded. Each anchored node is
// counted once, so that a bomb costs no more than its text.
func (in *inspector) count(n *yaml.Node, depth int) int {
	if depth > maxDepth {
		return endless
	}
	if n.Kind == yaml.AliasNode {
		return in.count(n.Alias, depth+1)
	}
	if n.Anchor != "" {
		if known, ok := in.size[n]; ok {
			if known == 0 {
				return endless
			}
			return known
		}
		in.size[n] = 0
	}
	sum := 1
	for _, c := range n.Content {
		k := in.count(c, depth+1)
		if k == endless {
			return endless
		}
		sum = min(sum+k, maxNodes+1)
	}
	if n.Anchor != "" {
		in.size[n] = sum
	}
	return sum
}

// node checks one written node and those below; aliases are checked where they
// point to.
func (in *inspector) node(p *place) {
	n := p.node
	switch n.Kind {
	case yaml.DocumentNode:
		for _, c := range n.Content {
			in.node(&place{node: c})
		}
	case yaml.SequenceNode:
		for i, c := range n.Content {
			in.node(&place{up: p, index: i, node: c})
		}
	case yaml.MappingNode:
		in.mapping(p)
	case yaml.ScalarNode:
		in.scalar(p)
	}
}

func (in *inspector) mapping(p *place) {
	if len(p.node.Content) > 2*maxKeys {
		in.wide = true
		in.w.problem(p, nil, "too large: more than %d keys", maxKeys)
		return
	}
	lines := make(map[string]int, len(p.node.Content)/2)
	for i := 0; i+1 < len(p.node.Content); i += 2 {
		k := p.node.Content[i]
		at := &place{up: p, name: resolve(k).Value, index: -1, key: k, node: p.node.Content[i+1]}
		if at.name == "" {
			at.name = "\"\""
		}
		in.key(at, lines)
		in.node(at)
	}
}

// key checks the key of a pair; lines holds where each key of the mapping stood first.
func (in *inspector) key(at *place, lines map[string]int) {
	k := resolve(at.key)
	line, seen := lines[k.Value]
	switch tag := k.ShortTag(); {
	case k.Kind != yaml.ScalarNode:
		in.w.problemAt(at.up, at.key, "a key must be a string (got %s)", got(k))
	case tag == mergeTag:
		in.merge(at)
		if seen {
			in.w.problemAt(at.up, at.key, "a second <<; write <<: [*a, *b] to merge several mappings")
		}
	case seen && in.w.src.Lines:
		in.w.problemAt(at, at.key, "written twice; first on line %d", line)
	case seen:
		in.w.problemAt(at, at.key, "written twice")
	case tag != "!!str" && !in.keys:
		in.w.problemAt(at, at.key, "a key must be a string; quote it: %q", k.Value)
	}
	if kind := untrusted.Secret(k.Value); kind != "" && !in.keys {
		in.w.problemAt(at.up, at.key, "a key looks like %s; a secret must not be written in clear", kind)
	}
	if !seen {
		lines[k.Value] = at.key.Line
	}
}

// merge checks what a merge key brings in.
func (in *inspector) merge(at *place) {
	v := resolve(at.node)
	list := []*yaml.Node{v}
	if v.Kind == yaml.SequenceNode {
		list = v.Content
	}
	for _, e := range list {
		if resolve(e).Kind != yaml.MappingNode {
			in.w.problemAt(at.up, at.key, "<< merges mappings only (got %s)", got(resolve(e)))
		}
	}
}

func (in *inspector) scalar(p *place) {
	if in.keys {
		return
	}
	if kind := untrusted.Secret(p.node.Value); kind != "" {
		in.void(p, "looks like %s; put it into a Secret and name that Secret, never write it in clear", kind)
		return
	}
	switch tag := p.node.ShortTag(); tag {
	case "!!str", "!!bool", "!!null", "!!timestamp", mergeTag:
	case "!!int":
		if _, err := strconv.ParseInt(p.node.Value, 0, 64); err != nil {
			if _, ok := integer(p.node); !ok {
				in.void(p, "must fit into 64 bits (got %s)", got(p.node))
			}
		}
	case "!!float":
		if f, ok := float(p.node); !ok || math.IsNaN(f) || math.IsInf(f, 0) {
			in.void(p, "must be a finite number (got %s)", got(p.node))
		}
	default:
		in.void(p, "the YAML tag %s is not understood here; write a plain value", tag)
	}
}

// void reports a value that the walker need not look at any more.
func (in *inspector) void(p *place, format string, args ...any) {
	if in.w.void == nil {
		in.w.void = map[*yaml.Node]bool{}
	}
	in.w.void[p.node] = true
	in.w.problem(p, nil, format, args...)
}
