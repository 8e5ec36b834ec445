package oracle

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/finding"
	"github.com/inferstack/inferstack/generators"
	"github.com/inferstack/inferstack/generators/manifest"
	"github.com/inferstack/inferstack/release"
	"github.com/inferstack/inferstack/schema"
	"github.com/inferstack/inferstack/schema/document"
	"github.com/inferstack/inferstack/schema/rules"
	"github.com/inferstack/inferstack/wiring"
)

// TestValidMeansAccepted changes stacks at random, and has upstream judge what is made of
// those that are valid.
func TestValidMeansAccepted(t *testing.T) {
	stacks := bases(t)
	var wrong tally
	cache := map[[32]byte][]error{}
	n := tries(t)
	valid := 0
	for i := first(t); i < first(t)+n; i++ {
		m := &maker{rand.New(rand.NewPCG(uint64(i), 11)), 5 + 30*(i%3)}
		stack := map[string]any{}
		if err := json.Unmarshal(pick(m, stacks), &stack); err != nil {
			t.Fatal(err)
		}
		did := m.mutate(stack)
		objects := compile(t, stack)
		if objects == nil {
			continue
		}
		valid++
		for _, o := range objects {
			data, err := json.Marshal(o)
			if err != nil {
				t.Fatal(err)
			}
			key := sha256.Sum256(data)
			errs, done := cache[key]
			if !done {
				errs = Judge(o)
				cache[key] = errs
			}
			if len(errs) > 0 {
				wrong.add(i, fmt.Sprintf("%v (%q)", errs[0], did))
				break
			}
		}
	}
	t.Logf("%d stacks, %d of them valid, %d different objects", n, valid, len(cache))
	wrong.report(t, "valid, but refused upstream")
	if valid < n/5 {
		t.Errorf("only %d of %d stacks are valid: the test proves little", valid, n)
	}
}

// check is what the program shows its objects to before it writes them: the rules of check.
func check(made []manifest.Manifest) finding.List {
	var objects []*wiring.Object
	for _, m := range made {
		objects = append(objects, wiring.Of(m.Node())...)
	}
	for _, f := range wiring.Check(objects, wiring.Options{}) {
		if f.Severity == wiring.Error {
			return finding.List{{Object: finding.Ref(made[0].ID), Message: f.Message}}
		}
	}
	return nil
}

// bases are the stacks of the examples, and one with a little of everything.
func bases(t *testing.T) [][]byte {
	t.Helper()
	files, err := filepath.Glob("../../examples/*/stack.yaml")
	if err != nil || len(files) < 5 {
		t.Fatal(files, err)
	}
	var out [][]byte
	for _, file := range append(files, "testdata/everything.yaml", "testdata/small.yaml") {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		dec := yaml.NewDecoder(bytes.NewReader(data))
		for {
			var doc map[string]any
			if dec.Decode(&doc) != nil {
				break
			}
			text, err := json.Marshal(doc)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, text)
		}
	}
	return out
}

// compile returns the objects of a stack, or nil when it is refused.
func compile(t *testing.T, stack map[string]any) []manifest.Object {
	t.Helper()
	text, err := json.Marshal(stack)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if r := recover(); r != nil {
			t.Errorf("panic: %v\n%.3000s", r, text)
		}
	}()
	docs, problems := document.Read("stack", text)
	if len(problems) > 0 || len(docs) != 1 {
		return nil
	}
	spec, problems := rules.Parse(docs[0].Node, docs[0].Source)
	if len(problems.Errors()) > 0 {
		return nil
	}
	if _, conflicts := generators.GenerateAll([]*schema.Stack{spec}, check); len(conflicts) > 0 {
		return nil
	}
	line, err := release.Load(spec.Spec.Release)
	if err != nil {
		t.Fatal(err)
	}
	return generators.Generate(spec, line)
}
