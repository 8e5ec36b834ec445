package wiring

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/internal/long"
)

// FuzzCheck reads anything as manifests: whatever it is, checking it must not break down,
// must find the same twice, and must be able to say what it found.
func FuzzCheck(f *testing.F) {
	for i, set := range sets(f) {
		if long.Part(i, 8) {
			f.Add(set)
			f.Add(set[:len(set)/2])
			f.Add(trimmed(set))
		}
	}
	for i, v := range variants {
		if long.Part(i, 8) {
			f.Add(v.apply(f))
		}
	}
	for _, odd := range []string{
		"", "-", "a: [", "kind: &a [*a]", "&a {apiVersion: v1, kind: List, items: [*a]}",
		"apiVersion: v1\nkind: Service\nmetadata: {name: &a [*a], labels: 5}\n",
		"apiVersion: v1\nkind: PodList\nitems: {a: b}\nmetadata: {name: a}\n",
		"<<: &a {apiVersion: v1, kind: Pod}\nmetadata: {name: a}\nspec: &s {containers: [*s, 1, null, {args: {a: b}}]}\n",
	} {
		f.Add(odd)
	}
	f.Fuzz(func(t *testing.T, input string) { checkTwice(t, []byte(input)) })
}

// FuzzCheckShapes bends sets of manifests that are right: of each three bytes two choose
// a place and one what becomes of it. Mutated text is mostly no YAML; this always is.
func FuzzCheckShapes(f *testing.F) {
	all := sets(f)
	for i := range all {
		if !long.Part(i, 3) {
			continue
		}
		f.Add(byte(i), []byte{0, byte(i * 7), byte(i), 1, byte(i * 31), byte(i + 1)})
	}
	f.Fuzz(func(t *testing.T, set byte, edits []byte) {
		docs := nodesOf(t, all[int(set)%len(all)])
		for ; len(edits) >= 3 && len(docs) > 0; edits = edits[3:] {
			at := int(edits[0])<<8 | int(edits[1])
			bend(docs, at, int(edits[2]))
		}
		var out bytes.Buffer
		encoder := yaml.NewEncoder(&out)
		for _, d := range docs {
			if err := encoder.Encode(d); err != nil {
				t.Skip(err)
			}
		}
		checkTwice(t, out.Bytes())
	})
}

func checkTwice(t *testing.T, input []byte) {
	t.Helper()
	objects, err := Read("set.yaml", input)
	if err != nil {
		return
	}
	first := Check(objects, Options{})
	again, err := Read("set.yaml", input)
	if err != nil {
		t.Fatal("read once, but not twice:", err)
	}
	if diff := cmp.Diff(first, Check(again, Options{}), cmp.AllowUnexported(Finding{})); diff != "" {
		t.Error("not the same twice:", diff)
	}
	known := map[Ref]bool{}
	for _, o := range objects {
		known[o.Ref] = true
	}
	for _, f := range first {
		if !known[f.Object] || f.Line < 1 || f.Message == "" {
			t.Errorf("a finding about nothing: %#v", f)
		}
	}
	for _, format := range Formats {
		if err := Write(io.Discard, format, first); err != nil {
			t.Errorf("%s: %v", format, err)
		}
	}
}

// sets are the golden outputs and the bases of the variants.
func sets(f *testing.F) []string {
	f.Helper()
	var all []string
	for _, pattern := range []string{"../testdata/golden/*.yaml", "testdata/*.yaml"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			f.Fatal("no files", pattern, err)
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			all = append(all, string(data))
		}
	}
	return all
}

// trimmed leaves out every third object.
func trimmed(set string) string {
	var docs []string
	for i, doc := range strings.Split(set, "\n---\n") {
		if i%3 != 1 {
			docs = append(docs, doc)
		}
	}
	return strings.Join(docs, "\n---\n")
}

func nodesOf(t *testing.T, set string) []*yaml.Node {
	t.Helper()
	decoder := yaml.NewDecoder(strings.NewReader(set))
	var docs []*yaml.Node
	for {
		doc := new(yaml.Node)
		if decoder.Decode(doc) != nil {
			return docs
		}
		docs = append(docs, doc)
	}
}

// shapes are what a value of a manifest should not be, or not there.
var shapes = []string{
	"null", "''", "[]", "{}", "-1", "0", "99999999999999999999", "true", "a: b", "[a, 1, null, {}]", "[[]]", "'*'", "a/b|c||d",
	"--port=-1", "{name: x, port: {}, containers: [{}]}", "'{\"endpoint\": 5}'", "${VAR}", "outbound|x||y", "a[-1].b",
}

// bend replaces a value, drops it, or puts another value of the set there.
func bend(docs []*yaml.Node, at, how int) {
	var all []*yaml.Node
	for _, d := range docs {
		all = flat(all, d)
	}
	n := all[at%len(all)]
	switch {
	case how < len(shapes)*4:
		var shape yaml.Node
		if yaml.Unmarshal([]byte(shapes[how%len(shapes)]), &shape) == nil && len(shape.Content) > 0 && n.Kind != yaml.DocumentNode {
			*n = *shape.Content[0]
		}
	case how < 150 && len(n.Content) > 1:
		n.Content = n.Content[2:]
	default:
		if other := all[(at+how*17)%len(all)]; other.Kind != yaml.DocumentNode && n.Kind == yaml.ScalarNode && other.Kind == yaml.ScalarNode {
			n.Value, n.Tag, n.Style = other.Value, other.Tag, 0
		}
	}
}

func flat(all []*yaml.Node, n *yaml.Node) []*yaml.Node {
	all = append(all, n)
	for _, c := range n.Content {
		all = flat(all, c)
	}
	return all
}
