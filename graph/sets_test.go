package graph

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/inferstack/inferstack/generators"
	"github.com/inferstack/inferstack/generators/manifest"
	"github.com/inferstack/inferstack/release"
	"github.com/inferstack/inferstack/schema/document"
	"github.com/inferstack/inferstack/schema/rules"
	"github.com/inferstack/inferstack/wiring"
)

// read once: drawing changes nothing of an object.
var loaded map[string][]*wiring.Object

// sets are what the tests draw: what the examples are compiled to, what other systems'
// resources are converted to, manifests of upstream's charts and guides, and testdata.
func sets(t testing.TB) map[string][]*wiring.Object {
	t.Helper()
	if loaded != nil {
		return loaded
	}
	out := map[string][]*wiring.Object{"eight-models": compile(t, "testdata/eight-models/stack.yaml")}
	files, _ := filepath.Glob("../testdata/golden/*.yaml")
	own, _ := filepath.Glob("testdata/*.yaml")
	upstream, _ := filepath.Glob("../wiring/testdata/upstream/*.yaml")
	converted, _ := filepath.Glob("../testdata/convert/together/*/rendered.yaml")
	for _, file := range slices.Concat(files, own, upstream, converted) {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		objects, err := wiring.Read(file, data)
		if err != nil || len(objects) == 0 {
			t.Fatal(file, len(objects), err)
		}
		name := strings.TrimSuffix(filepath.Base(file), ".yaml")
		if name == "rendered" {
			name = filepath.Base(filepath.Dir(file))
		}
		out[name] = objects
	}
	if len(files) < 10 || len(own) < 2 || len(upstream) < 10 || len(converted) < 3 {
		t.Fatal("the examples are not where they were", files, own, upstream, converted)
	}
	loaded = out
	return out
}

// compile renders the stacks of a file.
func compile(t testing.TB, file string) []*wiring.Object {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	docs, problems := document.Read(file, data)
	if len(docs) == 0 {
		t.Fatal(problems)
	}
	var out bytes.Buffer
	for _, d := range docs {
		stack, problems := rules.Parse(d.Node, d.Source)
		if stack == nil {
			t.Fatal(problems)
		}
		line, err := release.Load(stack.Spec.Release)
		if err != nil {
			t.Fatal(err)
		}
		out.WriteString("---\n")
		if err := manifest.WriteYAML(&out, generators.Manifests(stack, generators.Generate(stack, line))); err != nil {
			t.Fatal(err)
		}
	}
	objects, err := wiring.Read("rendered.yaml", out.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return objects
}
