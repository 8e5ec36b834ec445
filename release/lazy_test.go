package release

import (
	"encoding/json"
	"testing"
)

// TestLazySchema: the text is decoded once, stays as it was, and is checked when asked to.
func TestLazySchema(t *testing.T) {
	const text = `{"type":"object","fields":{"a":{"type":"int","min":1}}}`
	var l LazySchema
	if err := json.Unmarshal([]byte(text), &l); err != nil {
		t.Fatal(err)
	}
	if err := l.Check(); err != nil {
		t.Error(err)
	}
	if s := l.Schema(); s.Fields["a"].Type != TypeInt || s != l.Schema() {
		t.Errorf("%+v", s)
	}
	if out, err := json.Marshal(&l); err != nil || string(out) != text {
		t.Errorf("%s, %v", out, err)
	}
	if err := json.Unmarshal([]byte(`{"typ":"int"}`), &l); err != nil || l.Check() == nil {
		t.Errorf("a field that no schema has is taken: %v", err)
	}
	var none *LazySchema
	if none.Schema() != nil || none.Check() != nil {
		t.Error("no schema is one")
	}
}
