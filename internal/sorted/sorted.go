// Package sorted has mappings that the linker lays out. A map of Go is built when the program runs, entry by
// entry: with thousands of them, of which a run asks for a few, that takes longer than the run.
package sorted

import (
	"bytes"
	"encoding/json"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/inferstack/inferstack/internal/lists"
)

// A Map is a mapping in the order of its keys, each of which it has once.
type Map[V any] []Entry[V]

// An Entry is a key and its value.
type Entry[V any] struct {
	Key   string
	Value V
}

// Of returns the entries of a mapping.
func Of[V any](m map[string]V) Map[V] {
	if m == nil {
		return nil
	}
	out := make(Map[V], 0, len(m))
	for _, key := range slices.Sorted(maps.Keys(m)) {
		out = append(out, Entry[V]{key, m[key]})
	}
	return out
}

// Find returns the value of a key, and reports whether there is one.
func (m Map[V]) Find(key string) (value V, found bool) {
	i, found := slices.BinarySearchFunc(m, key, func(e Entry[V], key string) int { return strings.Compare(e.Key, key) })
	if found {
		value = m[i].Value
	}
	return value, found
}

// Get returns the value of a key, or a zero value.
func (m Map[V]) Get(key string) V {
	value, _ := m.Find(key)
	return value
}

// All returns the entries in order.
func (m Map[V]) All() iter.Seq2[string, V] {
	return func(yield func(string, V) bool) {
		for _, e := range m {
			if !yield(e.Key, e.Value) {
				return
			}
		}
	}
}

// Keys returns the keys in order.
func (m Map[V]) Keys() []string {
	return lists.Map(m, func(e Entry[V]) string { return e.Key })
}

// UnmarshalJSON reads an object. It refuses fields that V does not have.
func (m *Map[V]) UnmarshalJSON(text []byte) error {
	var all map[string]V
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&all); err != nil {
		return err
	}
	*m = Of(all)
	return nil
}
