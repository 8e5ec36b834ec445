package published

import (
	"os"
	"testing"
)

// TestSameAsTheFiles holds what the program prints to the files that people link to.
func TestSameAsTheFiles(t *testing.T) {
	for file, text := range map[string]string{
		"../schema/inferencestack.schema.json":  JSONSchema(),
		"../schema/inferencestack.crd.yaml":     CRD(),
		"../schema/inferencestack.openapi.json": OpenAPI(),
		"../docs/reference.md":                  Reference(),
	} {
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if string(want) != text {
			t.Errorf("%s is not what the program prints: run make generate", file)
		}
	}
}
