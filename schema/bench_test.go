package schema

import (
	"testing"

	"go.yaml.in/yaml/v3"
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
				Parse(&doc, Source{File: "f", Lines: true})
			}
		})
	}
}
