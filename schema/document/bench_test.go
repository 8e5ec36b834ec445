package document_test

import (
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/schema"
	"github.com/inferstack/inferstack/schema/rules"
)

func BenchmarkParse(b *testing.B) {
	for name, text := range map[string]string{
		"smallest": "apiVersion: inferstack.dev/v1alpha1\nkind: InferenceStack\nmetadata: {name: a}\nspec: {model: {name: m}}\n",
		"usual":    spelled,
	} {
		b.Run(name, func(b *testing.B) {
			var doc yaml.Node
			if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				rules.Parse(&doc, schema.Source{File: "f", Lines: true})
			}
		})
	}
}
