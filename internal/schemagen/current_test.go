package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// TestCurrent proves that what is checked in is what the CUE files say.
func TestCurrent(t *testing.T) {
	root := filepath.Join("..", "..")
	files, err := generate(root)
	if err != nil {
		t.Fatal(err)
	}
	for i, o := range outputs {
		have, err := os.ReadFile(filepath.Join(root, o.path))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(have, files[i]) {
			t.Errorf("%s is not current: run make generate", o.path)
		}
	}
}
