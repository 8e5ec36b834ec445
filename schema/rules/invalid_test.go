package rules

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/inferstack/inferstack/schema"
	"github.com/inferstack/inferstack/schema/document"
)

// TestInvalid reads every file of testdata/invalid and compares what is said
// about it with the text beside it. UPDATE_GOLDEN=1 writes the texts.
func TestInvalid(t *testing.T) {
	dir := filepath.Join("..", "..", "testdata", "invalid")
	inputs, err := filepath.Glob(filepath.Join(dir, "*.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if len(inputs) < 100 {
		t.Errorf("only %d inputs", len(inputs))
	}
	for _, input := range inputs {
		name := strings.TrimSuffix(filepath.Base(input), ".yaml")
		t.Run(name, func(t *testing.T) {
			data, err := os.ReadFile(input)
			if err != nil {
				t.Fatal(err)
			}
			got := check(filepath.Base(input), data)
			if len(got.Errors()) == 0 {
				t.Error("no error")
			}
			golden(t, filepath.Join(dir, name+".txt"), got.Error()+"\n")
		})
	}
}

// check is everything that is said about a file.
func check(file string, data []byte) schema.Problems {
	docs, ps := document.Read(file, data)
	for _, d := range docs {
		if d.IsStack() {
			_, more := Parse(d.Node, d.Source)
			ps = append(ps, more...)
		}
	}
	ps.Sort()
	return ps
}

func golden(t *testing.T, path, got string) {
	t.Helper()
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); d != "" {
		t.Error(d)
	}
}
