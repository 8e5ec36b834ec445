package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCurrent proves that what is checked in is what the YAML files say.
func TestCurrent(t *testing.T) {
	root := filepath.Join("..", "..")
	want, err := generate(root)
	if err != nil {
		t.Fatal(err)
	}
	have, err := os.ReadFile(filepath.Join(root, compiled))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(want, have) {
		t.Errorf("%s is not current, run make generate", compiled)
	}
}

// TestRefused: a field that the catalogue does not have is an error, however deep it is.
func TestRefused(t *testing.T) {
	for file, text := range map[string]string{
		"lines/9.9.yaml":    "imagez: {}",
		"components/c.yaml": "base: {component: c, version: {}}",
		"dialects/d.yaml":   "config: {fields: {a: {fields: {b: {typ: int}}}}}",
		"dialects/e.yaml":   "extends: f",
		"dialects/g.yaml":   "plugins: [{type: p, parameters: {fieldz: {}}}]",
		"served.yaml":       "[{kin: K}]",
	} {
		root := t.TempDir()
		for name, text := range map[string]string{"served.yaml": "[]", "defaults.yaml": "{}", "charts.yaml": "{}", file: text} {
			path := filepath.Join(root, "release", name)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if err := run(root); err == nil || !strings.Contains(err.Error(), strings.TrimSuffix(filepath.Base(file), ".yaml")) && file != "dialects/e.yaml" {
			t.Errorf("%s: %v", file, err)
		}
		if _, err := os.Stat(filepath.Join(root, compiled)); err == nil {
			t.Errorf("%s: %s is written", file, compiled)
		}
	}
}
