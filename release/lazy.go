package release

import (
	"bytes"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/inferstack/inferstack/internal/lazyjson"
)

// A LazySchema is a Schema that is decoded when it is asked for: an EPP knows many plugins, of
// which a configuration has few.
type LazySchema struct {
	text   []byte
	decode func() *Schema
}

// UnmarshalJSON keeps the text.
func (l *LazySchema) UnmarshalJSON(text []byte) error {
	l.text = bytes.Clone(text)
	l.decode = sync.OnceValue(func() *Schema {
		s := &Schema{}
		if err := lazyjson.Unmarshal(l.text, s); err != nil {
			panic(err) // Check is asked when the text is compiled
		}
		return s
	})
	return nil
}

// MarshalJSON returns the text.
func (l *LazySchema) MarshalJSON() ([]byte, error) { return l.text, nil }

// Check reports a field that a Schema does not have.
func (l *LazySchema) Check() error {
	if l == nil {
		return nil
	}
	decoder := json.NewDecoder(bytes.NewReader(l.text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&Schema{}); err != nil {
		return fmt.Errorf("schema %s: %w", l.text, err)
	}
	return nil
}

// Schema returns the schema, which is shared and must not be changed, or nil.
func (l *LazySchema) Schema() *Schema {
	if l == nil {
		return nil
	}
	return l.decode()
}
