// Package published carries the documents that are made from the CUE schema, so that the
// program can print them. They are compressed: as text they were 1 % of the binary.
package published

import (
	"compress/gzip"
	"embed"
	"io"
)

//go:embed compiled
var compiled embed.FS

// JSONSchema returns the schema as a JSON Schema, draft 2020-12.
func JSONSchema() string { return unpacked("inferencestack.schema.json") }

// CRD returns the schema as a CustomResourceDefinition.
func CRD() string { return unpacked("inferencestack.crd.yaml") }

// Reference returns the field reference in Markdown.
func Reference() string { return unpacked("reference.md") }

func unpacked(name string) string {
	file, err := compiled.Open("compiled/" + name + ".gz")
	if err != nil {
		panic(err) // the files are embedded, and written by schemagen
	}
	defer func() { _ = file.Close() }()
	text, err := gzip.NewReader(file)
	if err != nil {
		panic(err)
	}
	data, err := io.ReadAll(text)
	if err != nil {
		panic(err)
	}
	return string(data)
}
