package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestCurrent proves that what is checked in is what the CRDs of the modules say.
func TestCurrent(t *testing.T) {
	want, err := generate()
	if err != nil {
		t.Fatal(err)
	}
	for folder, files := range want {
		have := map[string][]byte{}
		paths, _ := filepath.Glob(filepath.Join("..", "..", "kubeschema", folder, "*"))
		for _, path := range paths {
			if have[filepath.Base(path)], err = os.ReadFile(path); err != nil {
				t.Fatal(err)
			}
		}
		if diff := cmp.Diff(files, have); diff != "" || len(files) == 0 {
			t.Errorf("%s is not current, run make generate", folder)
		}
	}
}
