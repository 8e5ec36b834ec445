// Command releasegen compiles the release lines and components, which people write as
// YAML, to JSON that the program reads when it runs: that takes a twentieth of the time.
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
	sources    = "release/lines/*.yaml"
	components = "release/components/*.yaml"
	served     = "release/served.yaml"
	defaults   = "release/defaults.yaml"
	charts     = "release/charts.yaml"
	compiled   = "release/compiled"
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
	for name, data := range files {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// generate is the content of every compiled file, by its name below compiled.
func generate(root string) (map[string][]byte, error) {
	files, err := dialectFiles(root)
	if err != nil {
		return nil, err
	}
	if err := each(root, sources, "", files, compile[release.Line]); err != nil {
		return nil, err
	}
	if err := each(root, components, "components/", files, compile[release.Component]); err != nil {
		return nil, err
	}
	if err := each(root, defaults, "", files, compile[map[string]string]); err != nil {
		return nil, err
	}
	if err := each(root, charts, "", files, compile[map[string][]release.ChartValue]); err != nil {
		return nil, err
	}
	return files, each(root, served, "", files, compile[[]release.Served])
}

func each(root, pattern, folder string, files map[string][]byte, compile func([]byte) ([]byte, error)) error {
	paths, err := filepath.Glob(filepath.Join(root, pattern))
	if err != nil {
		return err
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name := folder + strings.TrimSuffix(filepath.Base(path), ".yaml") + ".json"
		if files[name], err = compile(data); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return nil
}

// compile refuses what T has no field for.
func compile[T any](data []byte) ([]byte, error) {
	var value T
	if err := yaml.UnmarshalStrict(data, &value); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	err := enc.Encode(value)
	return out.Bytes(), err
}
