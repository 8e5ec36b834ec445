// Command releasegen compiles the release catalogue, which people write as YAML, to Go: nothing of it is
// decoded when the program runs.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/inferstack/inferstack/internal/frozen"
	"github.com/inferstack/inferstack/internal/sorted"
	"github.com/inferstack/inferstack/release"
)

// Where the catalogue is, and where it is compiled to, from the root of the repository.
const (
	sources    = "release/lines/*.yaml"
	components = "release/components/*.yaml"
	dialects   = "release/dialects/*.yaml"
	served     = "release/served.yaml"
	defaults   = "release/defaults.yaml"
	charts     = "release/charts.yaml"
	compiled   = "release/compiled.gen.go"
)

func main() {
	if err := run("."); err != nil {
		fmt.Fprintln(os.Stderr, "releasegen:", err)
		os.Exit(1)
	}
}

func run(root string) error {
	text, err := generate(root)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(root, compiled), text, 0o644)
}

// generate returns the catalogue as Go source.
func generate(root string) ([]byte, error) {
	r := reader{root: root}
	source := frozen.New("github.com/inferstack/inferstack/release")
	lines := all[release.Line](&r, sources)
	for name, line := range lines {
		line.Name = name
	}
	frozen.Makers(source, "lines", lines)
	parts := all[release.Component](&r, components)
	list := make([]*release.Component, 0, len(parts))
	for name, c := range sorted.Of(parts).All() {
		c.Name, c.Lines = name, linesOf(c, lines)
		list = append(list, c)
	}
	source.Var("components", list)
	source.Var("dialects", sorted.Of(resolved(&r, all[dialectSource](&r, dialects))))
	source.Var("defaults", only[sorted.Map[string]](&r, defaults))
	source.Var("charts", only[sorted.Map[[]release.ChartValue]](&r, charts))
	source.Var("served", only[[]release.Served](&r, served))
	if r.err != nil {
		return nil, r.err
	}
	return source.Text("internal/releasegen", "!uncompiled")
}

// linesOf are the names of the lines that have a component, by its version.
func linesOf(c *release.Component, lines map[string]*release.Line) sorted.Map[string] {
	names := map[string]string{}
	for name, line := range lines {
		if version := c.VersionIn(line); version != "" {
			names[version] = name
		}
	}
	if len(names) == 0 {
		return nil
	}
	return sorted.Of(names)
}

// A reader reads files of the catalogue, and keeps the first error.
type reader struct {
	root string
	err  error
}

func (r *reader) fail(err error) {
	if r.err == nil {
		r.err = err
	}
}

// all are the files of a pattern, by their names.
func all[T any](r *reader, pattern string) map[string]*T {
	paths, err := filepath.Glob(filepath.Join(r.root, pattern))
	if err != nil {
		r.fail(err)
	}
	values := map[string]*T{}
	for _, path := range paths {
		value, err := read[T](path)
		if err != nil {
			r.fail(err)
		}
		values[strings.TrimSuffix(filepath.Base(path), ".yaml")] = &value
	}
	return values
}

// only is a file that there is once.
func only[T any](r *reader, path string) T {
	value, err := read[T](filepath.Join(r.root, path))
	if err != nil {
		r.fail(err)
	}
	return value
}

// read refuses what T has no field for.
func read[T any](path string) (value T, err error) {
	data, err := os.ReadFile(path)
	if err == nil {
		err = yaml.UnmarshalStrict(data, &value)
	}
	if err != nil {
		return value, fmt.Errorf("%s: %w", path, err)
	}
	return value, nil
}
