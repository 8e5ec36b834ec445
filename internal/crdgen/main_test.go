package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// TestCurrent proves that what is checked in is what the CRDs and types of the modules say.
func TestCurrent(t *testing.T) {
	want, err := generate()
	if err != nil {
		t.Fatal(err)
	}
	have, err := os.ReadFile(filepath.Join("..", "..", compiled))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(want, have) {
		t.Errorf("%s is not current, run make generate", compiled)
	}
}
