package document

import (
	"encoding/json"
	"strconv"

	"go.yaml.in/yaml/v3"
)

// key writes a key and its colon.
func (w *walker) key(name string) {
	w.str(name)
	w.out = append(w.out, ':')
}

// close ends a mapping or list, over the comma of its last part.
func (w *walker) close(end byte) {
	if last := len(w.out) - 1; w.out[last] == ',' {
		w.out[last] = end
		return
	}
	w.out = append(w.out, end)
}

// str writes a string.
func (w *walker) str(s string) {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c >= 0x7f || c == '"' || c == '\\' {
			quoted, _ := json.Marshal(s) // a string cannot fail
			w.out = append(w.out, quoted...)
			return
		}
	}
	w.out = append(append(append(w.out, '"'), s...), '"')
}

// constant writes a default.
func (w *walker) constant(v any) {
	switch v := v.(type) {
	case string:
		w.str(v)
	case bool:
		w.out = strconv.AppendBool(w.out, v)
	case int64:
		w.out = strconv.AppendInt(w.out, v, 10)
	case float64:
		w.out = append(w.out, formatFloat(v)...)
	case []any:
		w.out = append(w.out, '[')
		for _, e := range v {
			w.constant(e)
			w.out = append(w.out, ',')
		}
		w.close(']')
	}
}

// free writes a value of which nothing is known.
func (w *walker) free(p *place) bool {
	n := resolve(p.node)
	if w.void[n] {
		return false
	}
	switch n.Kind {
	case yaml.MappingNode:
		w.out = append(w.out, '{')
		for _, pr := range pairs(n) {
			w.key(pr.key.Value)
			if !w.free(&place{up: p, name: pr.key.Value, index: -1, key: pr.key, node: pr.value}) {
				w.out = append(w.out, "null"...)
			}
			w.out = append(w.out, ',')
		}
		w.close('}')
	case yaml.SequenceNode:
		w.out = append(w.out, '[')
		for i, c := range n.Content {
			if !w.free(&place{up: p, index: i, node: c}) {
				w.out = append(w.out, "null"...)
			}
			w.out = append(w.out, ',')
		}
		w.close(']')
	default:
		return w.freeScalar(p, n)
	}
	return true
}

func (w *walker) freeScalar(p *place, n *yaml.Node) bool {
	switch n.ShortTag() {
	case "!!null":
		w.out = append(w.out, "null"...)
	case "!!bool":
		w.out = strconv.AppendBool(w.out, boolean(n))
	case "!!int", "!!float":
		s, ok := numeral(n)
		w.out = append(w.out, s...)
		return ok
	case "!!timestamp":
		if w.plain {
			w.str(n.Value)
			return true
		}
		// kustomize turns 2024-01-02 into "2024-01-02T00:00:00Z", kpt does not.
		w.problem(p, n.Value, "quote it: %q; tools disagree on what a bare date is", n.Value)
		return false
	default:
		w.str(n.Value)
	}
	return true
}
