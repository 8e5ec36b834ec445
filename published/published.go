// Package published carries the documents that are made from the CUE schema, so that the
// program can print them. They are compressed: as text they were 1 % of the binary.
package published

import (
	"embed"

	"github.com/inferstack/inferstack/internal/packed"
)

//go:embed compiled
var compiled embed.FS

// JSONSchema returns the schema as a JSON Schema, draft 2020-12.
func JSONSchema() string { return unpacked("inferencestack.schema.json") }

// CRD returns the schema as a CustomResourceDefinition.
func CRD() string { return unpacked("inferencestack.crd.yaml") }

// OpenAPI returns the merge keys of lists, as the field openapi of a kustomization takes them.
func OpenAPI() string { return unpacked("inferencestack.openapi.json") }

// Reference returns the field reference in Markdown.
func Reference() string { return unpacked("reference.md") }

func unpacked(name string) string {
	data, err := packed.Read(compiled, "compiled/"+name+".gz")
	if err != nil {
		panic(err) // the files are embedded, and written by schemagen
	}
	return string(data)
}
