// Command releasegen compiles the release lines, which people write as YAML, to JSON
// that the program reads when it runs: that takes a twentieth of the time.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/inferstack/inferstack/release"
)

// Where the lines are, and where they are compiled to, from the root of the repository.
const (
	sources  = "release/lines/*.yaml"
	compiled = "release/compiled"
)

func main() {
	if err := run("."); err != nil {
		fmt.Fprintln(os.Stderr, "releasegen:", err)
		os.Exit(1)
	}
}

// run writes the compiled lines, and no others.
func run(root string) error {
	files, err := generate(root)
	if err != nil {
		return err
	}
	dir := filepath.Join(root, compiled)
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// generate is the content of every compiled line, by the name of its file.
func generate(root string) (map[string][]byte, error) {
	paths, err := filepath.Glob(filepath.Join(root, sources))
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		name := strings.TrimSuffix(filepath.Base(path), ".yaml") + ".json"
		if files[name], err = compile(data); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	return files, nil
}

// compile refuses what a line has no field for.
func compile(data []byte) ([]byte, error) {
	var line release.Line
	if err := yaml.UnmarshalStrict(data, &line); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	err := enc.Encode(line)
	return out.Bytes(), err
}
