package stacktest

import (
	"encoding/json"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/inferstack/inferstack/generators/base"
)

// TextOf is an object's YAML, without the status that the API server would add.
func TextOf(t *testing.T, object any) string {
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

// OfType returns the objects of one type.
func OfType[T base.Object](objects []base.Object) (out []T) {
	for _, o := range objects {
		if v, ok := o.(T); ok {
			out = append(out, v)
		}
	}
	return out
}
