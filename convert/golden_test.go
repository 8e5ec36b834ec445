package convert

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/inferstack/inferstack/internal/long"
	"github.com/inferstack/inferstack/schema"
	"github.com/inferstack/inferstack/schema/document"
	"github.com/inferstack/inferstack/schema/rules"
)

// TestGolden converts every input of testdata/convert. Beside it stand the stacks that
// it becomes and what is said about it. UPDATE_GOLDEN=1 (make golden) writes them.
func TestGolden(t *testing.T) {
	inputs, err := filepath.Glob("../testdata/convert/*/*/input.yaml")
	if err != nil || len(inputs) == 0 {
		t.Fatal("no inputs", err)
	}
	for _, input := range inputs {
		dir := filepath.Dir(input)
		t.Run(filepath.Base(filepath.Dir(dir))+"/"+filepath.Base(dir), func(t *testing.T) {
			long.Case(t, 8)
			data, err := os.ReadFile(input)
			if err != nil {
				t.Fatal(err)
			}
			docs, problems := document.Read("input.yaml", data)
			if len(problems) > 0 {
				t.Fatal(problems)
			}
			r := Convert(docs, Options{NoEffect: true})
			golden(t, filepath.Join(dir, "stack.yaml"), stacksYAML(r))
			golden(t, filepath.Join(dir, "results.txt"), results(r.Problems))
			for _, s := range r.Stacks {
				if _, problems := s.Parse(); len(problems.Errors()) > 0 {
					t.Error(problems.Errors())
				}
			}
			stable(t, r)
		})
	}
}

// stable checks that what was printed reads as the same stack, and that a converter
// leaves it alone.
func stable(t *testing.T, r Result) {
	t.Helper()
	docs, problems := document.Read("stack.yaml", stacksYAML(r))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	again := Convert(docs, Options{NoEffect: true})
	if len(again.Stacks) != 0 || len(again.Rest) != len(r.Stacks) {
		t.Fatalf("%d stacks and %d others out of %d stacks", len(again.Stacks), len(again.Rest), len(r.Stacks))
	}
	for i, s := range r.Stacks {
		direct, _ := s.Parse()
		printed, _ := rules.Parse(again.Rest[i].Node, schema.Source{})
		if direct == nil || printed == nil {
			t.Fatalf("stack %d is not valid", i)
		}
		if diff := cmp.Diff(direct.Spec, printed.Spec); diff != "" {
			t.Errorf("stack %d reads differently once printed:\n%s", i, diff)
		}
	}
}

func stacksYAML(r Result) []byte {
	var parts [][]byte
	for _, s := range r.Stacks {
		parts = append(parts, s.YAML())
	}
	return bytes.Join(parts, []byte("---\n"))
}

func results(problems schema.Problems) []byte {
	var b bytes.Buffer
	for _, p := range problems {
		b.WriteString(string(p.Severity) + " " + p.String() + "\n")
	}
	return b.Bytes()
}

func golden(t *testing.T, path string, got []byte) {
	t.Helper()
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s:\n%s", path, diff)
	}
}
