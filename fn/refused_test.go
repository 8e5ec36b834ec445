package fn

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/inferstack/inferstack/convert"
)

// TestRefused validates stacks that the fields alone do not show to be wrong: what an API
// server refuses, and what never serves.
func TestRefused(t *testing.T) {
	inputs, err := filepath.Glob("../testdata/refused/*.yaml")
	if err != nil || len(inputs) < 50 {
		t.Fatal(len(inputs), err)
	}
	for _, input := range inputs {
		name := strings.TrimSuffix(filepath.Base(input), ".yaml")
		t.Run(name, func(t *testing.T) {
			var out, said bytes.Buffer
			if err := validate([]string{input}, nil, nil, convert.Options{}, streams{out: &out, err: &said}); err == nil {
				t.Errorf("valid: %s", out.String())
			}
			got, file := strings.ReplaceAll(said.String(), "../testdata/refused/", ""), strings.TrimSuffix(input, ".yaml")+".txt"
			if os.Getenv("UPDATE_GOLDEN") != "" {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(string(want), got); d != "" {
				t.Error(d)
			}
		})
	}
}
