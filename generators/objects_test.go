package generators

import (
	"encoding/json"
	"testing"

	"sigs.k8s.io/yaml"
)

// textOf is an object's YAML, without the status that the API server would add.
func textOf(t *testing.T, object any) string {
	t.Helper()
	data, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	var fields map[string]any
	if err := json.Unmarshal(data, &fields); err != nil {
		t.Fatal(err)
	}
	delete(fields, "status")
	out, err := yaml.Marshal(fields)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// ofType returns the objects of one type.
func ofType[T Object](objects []Object) []T {
	var out []T
	for _, o := range objects {
		if v, ok := o.(T); ok {
			out = append(out, v)
		}
	}
	return out
}
