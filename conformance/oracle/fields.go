package oracle

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/inferstack/inferstack/published"
)

// A shape is what the JSON Schema of stacks says of a value.
type shape struct {
	Ref        string            `json:"$ref"`
	Defs       map[string]*shape `json:"$defs"`
	Type       any               `json:"type"`
	Properties map[string]*shape `json:"properties"`
	Required   []string          `json:"required"`
	Items      *shape            `json:"items"`
	// More is false, or the shape of what a mapping holds.
	More             json.RawMessage `json:"additionalProperties"`
	Enum             []any           `json:"enum"`
	Pattern          string          `json:"pattern"`
	Minimum, Maximum *float64
}

// root is the shape of a whole stack.
func root() *shape {
	s := &shape{}
	if err := json.Unmarshal([]byte(published.JSONSchema()), s); err != nil {
		panic(err) // it is embedded
	}
	return s
}

// of follows a reference.
func (s *shape) of(at *shape) *shape {
	for at.Ref != "" {
		at = s.Defs[strings.TrimPrefix(at.Ref, "#/$defs/")]
	}
	return at
}

// anywhere sets a field at random, whichever there is, to a value that its shape takes or nearly
// takes, and returns its path.
func (m *maker) anywhere(s *shape, stack map[string]any) string {
	at, node, path := s.of(s.Properties["spec"]), child(stack, "spec"), "spec"
	for {
		name := pick(m, slices.Sorted(maps.Keys(at.Properties)))
		path += "." + name
		next := s.of(at.Properties[name])
		if len(next.Properties) == 0 || m.chance(25) {
			node[name] = m.shaped(s, next, name, 0)
			return path
		}
		at, node = next, child(node, name)
	}
}

// child is a mapping within a mapping, which is made where there is none.
func child(node map[string]any, name string) map[string]any {
	if next, ok := node[name].(map[string]any); ok {
		return next
	}
	next := map[string]any{}
	node[name] = next
	return next
}

// shaped makes a value of a shape.
func (m *maker) shaped(s, at *shape, name string, depth int) any {
	switch {
	case len(at.Enum) > 0:
		return pick(m, at.Enum)
	case len(at.Properties) > 0:
		return m.some(s, at, depth)
	case at.Items != nil:
		list := []any{m.shaped(s, s.of(at.Items), name, depth+1)}
		if m.chance(30) {
			list = append(list, m.shaped(s, s.of(at.Items), name, depth+1))
		}
		return list
	case at.Type == "boolean":
		return m.chance(50)
	case at.Type == "integer":
		return m.within(at)
	case at.Type == "object":
		return map[string]any{m.text("key"): m.text("value")}
	case strings.Contains(at.Pattern, "(h|m|s|ms)"):
		return pick(m, []string{"0s", "1s", "30s", "1h", "1h30m", "500ms"})
	case strings.Contains(at.Pattern, "numkMGTPE"):
		return m.amount()
	}
	return m.text(name)
}

// some makes a mapping with what is required in it, and a few other fields.
func (m *maker) some(s, at *shape, depth int) map[string]any {
	out := map[string]any{}
	names := slices.Clone(at.Required)
	if depth < 4 {
		for range 1 + m.IntN(3) {
			names = append(names, pick(m, slices.Sorted(maps.Keys(at.Properties))))
		}
	}
	for _, name := range names {
		out[name] = m.shaped(s, s.of(at.Properties[name]), name, depth+1)
	}
	return out
}

func (m *maker) within(at *shape) any {
	n := m.number(true)
	if at.Minimum != nil && !m.odd() {
		n = max(n, int64(*at.Minimum))
	}
	if at.Maximum != nil && !m.odd() {
		n = min(n, int64(*at.Maximum))
	}
	return n
}

func (m *maker) amount() string {
	if m.odd() {
		return pick(m, oddQuantities)
	}
	return pick(m, quantities)
}
