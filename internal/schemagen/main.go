// Command schemagen compiles the CUE definitions in schema/ into everything that
// is made from them: Go types, the model that package schema/document checks YAML
// with, the field reference, a JSON Schema, a CustomResourceDefinition and the
// merge keys for kustomize. It runs at build time, so the product does not carry CUE.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/inferstack/inferstack/internal/packed"
)

func main() {
	if err := run("."); err != nil {
		fmt.Fprintln(os.Stderr, "schemagen:", err)
		os.Exit(1)
	}
}

// An output is a generated file.
type output struct {
	path  string // from the root of the repository
	write func(*schemaModel) ([]byte, error)
}

var outputs = []output{
	{"schema/types.gen.go", goTypes},
	{"schema/document/model.gen.go", goModel},
	{"schema/inferencestack.schema.json", jsonSchema},
	{"schema/inferencestack.crd.yaml", crd},
	{"schema/inferencestack.openapi.json", openAPI},
	{"docs/reference.md", reference},
}

// carried are the outputs that the program prints.
var carried = []string{"schema/inferencestack.schema.json", "schema/inferencestack.crd.yaml", "schema/inferencestack.openapi.json", "docs/reference.md"}

// run writes all outputs below the root of the repository.
func run(root string) error {
	files, err := generate(root)
	if err != nil {
		return err
	}
	for i, o := range outputs {
		if err := os.WriteFile(filepath.Join(root, o.path), files[i], 0o644); err != nil {
			return err
		}
		if !slices.Contains(carried, o.path) {
			continue
		}
		data, err := packed.Pack(files[i])
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(root, "published/compiled", filepath.Base(o.path)+".gz"), data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// generate is the content of every output.
func generate(root string) ([][]byte, error) {
	m, err := compile(os.DirFS(filepath.Join(root, "schema")))
	if err != nil {
		return nil, err
	}
	var files [][]byte
	for _, o := range outputs {
		data, err := o.write(m)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", o.path, err)
		}
		files = append(files, data)
	}
	return files, nil
}
