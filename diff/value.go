package diff

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/inferstack/inferstack/internal/pattern"
	"github.com/inferstack/inferstack/schema/document"
)

// A step of a path is a key of a mapping or the name of a list's entry.
type step struct {
	key   string
	entry bool
}

type path []step

func (p path) field(key string) path  { return append(slices.Clone(p), step{key: key}) }
func (p path) entry(name string) path { return append(slices.Clone(p), step{name, true}) }

var plainKey = pattern.Lazy(`^[A-Za-z_][-A-Za-z0-9_]*$`)

// String is the path as spec.containers[vllm].args, with quotes around a key that has
// dots in it.
func (p path) String() string {
	var b strings.Builder
	for _, s := range p {
		switch {
		case s.entry:
			b.WriteString("[" + s.key + "]")
		case !plainKey().MatchString(s.key):
			fmt.Fprintf(&b, "[%q]", s.key)
		case b.Len() > 0:
			b.WriteString("." + s.key)
		default:
			b.WriteString(s.key)
		}
	}
	return b.String()
}

// keys are the keys on the way, without names of entries.
func (p path) keys() string {
	var keys []string
	for _, s := range p {
		if !s.entry {
			keys = append(keys, s.key)
		}
	}
	return strings.Join(keys, ".")
}

// A comparer collects what differs.
type comparer struct{ changes []Change }

func (c *comparer) add(p path, old, now any) {
	c.changes = append(c.changes, Change{Old: old, New: now, path: p})
}

// values compares two values at a place; nil is the same as absent, as it is to the API
// server.
func (c *comparer) values(p path, old, now any) {
	oldMap, isMap := old.(map[string]any)
	newMap, stillMap := now.(map[string]any)
	oldList, isList := old.([]any)
	newList, stillList := now.([]any)
	switch {
	case isMap && stillMap:
		c.maps(p, oldMap, newMap)
	case isList && stillList:
		c.lists(p, oldList, newList)
	case old == nil && now == nil:
	case same(p, old, now):
	case c.documents(p, old, now):
	default:
		c.add(p, old, now)
	}
}

func (c *comparer) maps(p path, old, now map[string]any) {
	keys := slices.AppendSeq(slices.Collect(maps.Keys(old)), maps.Keys(now))
	slices.Sort(keys)
	for _, key := range slices.Compact(keys) {
		c.values(p.field(key), old[key], now[key])
	}
}

// same reports whether two values mean the same.
func same(p path, old, now any) bool {
	if old == nil || now == nil {
		return false
	}
	a, b := fmt.Sprint(old), fmt.Sprint(now)
	if a == b && isString(old) == isString(now) {
		return true
	}
	if !quantity(p) {
		return false
	}
	x, err := resource.ParseQuantity(a)
	y, err2 := resource.ParseQuantity(b)
	return err == nil && err2 == nil && x.Cmp(y) == 0
}

func isString(v any) bool {
	_, ok := v.(string)
	return ok
}

// quantity reports whether a quantity is at a place, of which 1 and 1000m are the same.
func quantity(p path) bool {
	if len(p) == 0 {
		return false
	}
	if p[len(p)-1].key == "sizeLimit" {
		return true
	}
	return len(p) > 1 && slices.Contains([]string{"limits", "requests"}, p[len(p)-2].key)
}

// documents compares texts that are YAML mappings, such as a configuration in a ConfigMap,
// by what they say. It returns false for other values.
func (c *comparer) documents(p path, old, now any) bool {
	a, isText := textMapping(old)
	b, stillText := textMapping(now)
	if !isText || !stillText {
		return false
	}
	c.maps(p, a, b)
	return true
}

// textMapping is the mapping that a text is, if it is one.
func textMapping(v any) (map[string]any, bool) {
	s := str(v)
	if !strings.Contains(s, ":") || !strings.Contains(strings.TrimSpace(s), "\n") && !strings.HasPrefix(s, "{") {
		return nil, false
	}
	var doc yaml.Node
	var m map[string]any
	if yaml.Unmarshal([]byte(s), &doc) != nil || document.Sound(&doc) != nil || doc.Decode(&m) != nil {
		return nil, false
	}
	return m, m != nil
}
