// Package freeform copies free-form data as it is decoded from YAML or JSON.
package freeform

// Copy returns a value that shares no mapping and no list with the original.
func Copy(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for key, e := range v {
			out[key] = Copy(e)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = Copy(e)
		}
		return out
	}
	return v
}
