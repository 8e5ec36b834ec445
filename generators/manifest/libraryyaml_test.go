package manifest

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"
	sigsyaml "sigs.k8s.io/yaml"

	"github.com/inferstack/inferstack/internal/blockyaml"
)

// compact is a JSON text as json.Marshal writes it, or nil if it is no mapping with entries.
func compact(text []byte) []byte {
	var tree map[string]any
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	if dec.Decode(&tree) != nil || len(tree) == 0 {
		return nil
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if enc.Encode(tree) != nil {
		return nil
	}
	return bytes.TrimSpace(out.Bytes())
}

// sameAsLibrary fails if the text of an object is not what the library writes of it.
func sameAsLibrary(t *testing.T, object []byte) (own bool) {
	t.Helper()
	n := Manifest{json: object}.Node()
	if len(n.Content) == 0 {
		return false
	}
	_, own = blockyaml.Writer{}.Append(nil, n)
	for _, n := range []*yaml.Node{n, {Kind: yaml.SequenceNode, Content: []*yaml.Node{n}}} {
		if diff := cmp.Diff(string(libraryYAML(n)), string(AppendYAML(nil, n))); diff != "" {
			t.Errorf("%s (- library, + here)\n%s", object, diff)
		}
	}
	return own
}

// FuzzBlockYAML holds what is written here to the library, byte for byte.
func FuzzBlockYAML(f *testing.F) {
	for _, value := range []string{
		`"a"`, `"yes"`, `"- a"`, `"-a"`, `"--a"`, `"---a"`, `"...a"`, `"a: b"`, `"a:b"`, `"a:"`, `"a #b"`, `"a#b"`, `"?a"`, `"? a"`, `":a"`, `"'a"`, `"a'b: "`,
		`" a"`, `"a "`, `"é"`, `"a\tb"`, `"a\nb"`, `"a\nb\n"`, `"a\nb\n\n"`, `"a\n\n b"`, `" a\nb"`, `"\na"`, `"a \nb"`, `"a\n b: \"\\\n"`, `"0x1"`, `"\"1\""`, `"1 \\"`,
		`1`, `-1`, `0`, `1.5`, `1e3`, `1E400`, `-0`, `123456789012345678901234567890`, `true`, `null`, `{}`, `[]`, `[[]]`, `[[1,"a\nb"],{"c":[1]}]`, `[{}]`,
		`{"a\nb":1,"":2,"null":3,"a: b":{"x":"y\nz\n"}}`, `[[[{"a":[{"b":"c\nd"}]}]]]`,
	} {
		f.Add([]byte(`{"k":` + value + `,"l":[` + value + `,{"m":` + value + `,"n":` + value + `}]}`))
	}
	f.Add([]byte(`{"` + string(bytes.Repeat([]byte("k"), 129)) + `":1}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		if object := compact(text); object != nil {
			sameAsLibrary(t, object)
		}
	})
}

// TestBlockYAMLWritesExamples holds the objects of all examples to the library, and has
// nearly all of them written here.
func TestBlockYAMLWritesExamples(t *testing.T) {
	files, err := filepath.Glob("../../testdata/golden/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatal("no golden files", err)
	}
	own, all := 0, 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for document := range bytes.SplitSeq(text, []byte("\n---\n")) {
			object, err := sigsyaml.YAMLToJSON(document)
			if err != nil {
				t.Fatal(file, err)
			}
			all++
			if sameAsLibrary(t, compact(object)) {
				own++
			}
		}
	}
	if own < all*9/10 {
		t.Errorf("%d of %d objects are left to the library", all-own, all)
	}
}
