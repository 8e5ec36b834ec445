package helm

// lookup is the value at a path.
func lookup(v any, path []any) (any, bool) {
	for _, step := range path {
		switch at := v.(type) {
		case map[string]any:
			next, ok := at[step.(string)]
			if !ok {
				return nil, false
			}
			v = next
		default:
			return nil, false
		}
	}
	return v, true
}

// put writes a value, and the mappings on the way to it.
func put(into map[string]any, path []any, value any) {
	var at any = into
	for i, step := range path {
		last := i == len(path)-1
		switch here := at.(type) {
		case map[string]any:
			key := step.(string)
			if last {
				here[key] = value
				return
			}
			switch here[key].(type) {
			case map[string]any, []any:
			default:
				here[key] = map[string]any{}
			}
			at = here[key]
		case []any:
			if last {
				here[step.(int)] = value
				return
			}
			at = here[step.(int)]
		}
	}
}

// copied is a tree of its own.
func copied(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for key, value := range v {
			out[key] = copied(value)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = copied(v[i])
		}
		return out
	}
	return v
}

// with is a values file with changes.
func with(values map[string]any, changes ...Change) map[string]any {
	out := copied(values).(map[string]any)
	for _, c := range changes {
		put(out, c.Path, copied(c.Value))
	}
	return out
}
