package freeform

import (
	"reflect"
	"testing"
)

// TestCopySharesNothing changes every mapping and list of a copy.
func TestCopySharesNothing(t *testing.T) {
	original := func() any {
		return map[string]any{"a": []any{1, map[string]any{"b": "c"}}, "d": map[string]any{}, "e": []any{}, "f": nil}
	}
	v := original()
	out := Copy(v)
	if !reflect.DeepEqual(out, v) {
		t.Fatalf("%v is not %v", out, v)
	}
	list := out.(map[string]any)["a"].([]any)
	list[1].(map[string]any)["b"] = "x"
	list[0] = 2
	out.(map[string]any)["d"].(map[string]any)["y"] = true
	if !reflect.DeepEqual(v, original()) {
		t.Errorf("the original has changed: %v", v)
	}
}
