package blockyaml

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"
)

// TestAppendSortedLeavesTrees has no tree changed by what is printed of it, nor by what is not.
func TestAppendSortedLeavesTrees(t *testing.T) {
	for value, own := range map[string]bool{
		`{b: "1", a: ~, c: Null, a10: 'x'}`: true, `["yes", "a\nb", {d: 1, c: 2}]`: true,
		`"\n\ta"`: false, `" a\nb"`: false, `"é"`: false, `1e3`: false, "&x {b: 1, a: 2}\nl: *x": false, `{b: 1, a: 2, b: 3}`: false, ">-\n  a\n  b\n": false,
	} {
		text := []byte("z: {y: \"1\", b: 'a', a: !!str x}\nk: " + value + "\n")
		var doc, same yaml.Node
		if err := yaml.Unmarshal(text, &doc); err != nil {
			t.Fatal(value, err)
		}
		if err := yaml.Unmarshal(text, &same); err != nil {
			t.Fatal(value, err)
		}
		if _, ok := AppendSorted(nil, doc.Content[0]); ok != own {
			t.Errorf("%s: printed here: %v", value, ok)
		}
		if diff := cmp.Diff(same, doc); diff != "" {
			t.Errorf("%s (- before, + after)\n%s", value, diff)
		}
	}
}
