package document_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/inferstack/inferstack/schema"
	"github.com/inferstack/inferstack/schema/document"
	"github.com/inferstack/inferstack/schema/rules"
)

// seed adds all files of testdata to a corpus.
func seed(f *testing.F) {
	for _, pattern := range []string{"../../testdata/*/*.yaml", "../../examples/*/*.yaml"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(data)
		}
	}
}

// FuzzRead holds Read to its word: no panic, and every position is in the file.
func FuzzRead(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		docs, ps := document.Read("f", data)
		for _, d := range docs {
			if d.APIVersion == "" || d.Kind == "" {
				t.Errorf("an object without a kind: %v", d)
			}
		}
		inFile(t, data, ps)
	})
}

// FuzzParse holds Parse to its word: no panic, positions in the file, and either
// a stack or an error. What it accepts, it accepts again in the same way.
func FuzzParse(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		docs, _ := document.Read("f", data)
		for _, d := range docs {
			s, ps := rules.Parse(d.Node, d.Source)
			inFile(t, data, ps)
			if (s == nil) != (len(ps.Errors()) > 0) {
				t.Errorf("stack %v with errors %v", s != nil, ps.Errors())
			}
			if s != nil {
				again, _ := rules.Parse(d.Node, d.Source)
				sameStack(t, s, again)
			}
		}
	})
}

func inFile(t *testing.T, data []byte, ps schema.Problems) {
	t.Helper()
	lines := len(document.LineEnds(data)) + 1
	for _, p := range ps {
		if p.Line < 1 || p.Line > lines || p.Column < 0 || p.Message == "" {
			t.Errorf("%#v is not in a file of %d lines", p, lines)
		}
	}
}
