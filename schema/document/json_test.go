package document

import (
	"encoding/json"
	"reflect"
	"testing"

	"go.yaml.in/yaml/v3"
)

// TestJSONAsYAML reads JSON by the YAML library as encoding/json does.
func TestJSONAsYAML(t *testing.T) {
	for _, text := range []string{
		`{"a": "b\/c", "d\/e": ["\/", "\\/", "\\\/", "\\\\/"]}`,
		`{"a": "\ud83d\ude00 \uD83D\uDE00", "b": "\u00e9\ud800", "c": "\udc00\ud83d", "d": "\ud83d\ud83d\ude00", "e": "\\ud83d\\ude00"}`,
		`["\"\/\"", "\b\f\n\r\t"]`,
		`{}`,
	} {
		var want, got any
		if err := json.Unmarshal([]byte(text), &want); err != nil {
			t.Fatal(err)
		}
		if err := yaml.Unmarshal(JSONAsYAML([]byte(text)), &got); err != nil {
			t.Errorf("%s: %v", text, err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s\n got: %#v\nwant: %#v", text, got, want)
		}
	}
	for _, text := range []string{"", `a: "b\/c"`, `{a: 'b\/c'}`, `{"a": "b\/c`, `{'a\/b': "\ud83d"}`} {
		if got := string(JSONAsYAML([]byte(text))); got != text {
			t.Errorf("%s, which is not JSON, becomes %s", text, got)
		}
	}
}
