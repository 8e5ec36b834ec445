package sorted

import (
	"encoding/json"
	"maps"
	"testing"
)

func TestMap(t *testing.T) {
	var m Map[int]
	if err := json.Unmarshal([]byte(`{"b": 2, "a": 1, "c": 3}`), &m); err != nil {
		t.Fatal(err)
	}
	if got := m.Keys(); len(got) != 3 || got[0] != "a" || got[2] != "c" {
		t.Errorf("keys %v", got)
	}
	if !maps.Equal(maps.Collect(m.All()), map[string]int{"a": 1, "b": 2, "c": 3}) {
		t.Errorf("entries %v", m)
	}
	for key, want := range map[string]int{"a": 1, "b": 2, "c": 3, "": 0, "bb": 0, "d": 0} {
		if got, found := m.Find(key); got != want || found != (want > 0) || m.Get(key) != want {
			t.Errorf("%s: %d, %v", key, got, found)
		}
	}
	for range m.All() {
		break
	}
	if Of[int](nil) != nil {
		t.Error("nil is not nil")
	}
}

func TestUnknownField(t *testing.T) {
	var m Map[struct{ A int }]
	if err := json.Unmarshal([]byte(`{"x": {"A": 1, "B": 2}}`), &m); err == nil {
		t.Error("no error")
	}
}
