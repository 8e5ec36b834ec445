package pods

import (
	"encoding/json"
	"reflect"
)

func equal(a, b any) bool { return reflect.DeepEqual(a, b) }

// orNil makes an empty list or map no value at all.
func orNil(v any) any {
	if rv := reflect.ValueOf(v); !rv.IsValid() || rv.IsZero() || (rv.Kind() == reflect.Slice || rv.Kind() == reflect.Map) && rv.Len() == 0 {
		return nil
	}
	return v
}

// plainMap is the JSON form of a value without what is empty.
func plainMap(v any) (out map[string]any) {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err) // Kubernetes structs are plain data
	}
	if err := json.Unmarshal(data, &out); err != nil {
		panic(err)
	}
	clean(out)
	return out
}

// clean drops what is empty, as an emptyDir: {} is not.
func clean(m map[string]any) {
	for k, v := range m {
		switch v := v.(type) {
		case nil:
			delete(m, k)
		case map[string]any:
			clean(v)
			if len(v) == 0 && (k == "resources" || k == "metadata" || k == "strategy") {
				delete(m, k)
			}
		case []any:
			for _, e := range v {
				if em, ok := e.(map[string]any); ok {
					clean(em)
				}
			}
		}
	}
}
