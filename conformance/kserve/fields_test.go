package kserve

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/inferstack/inferstack/conformance/assets"
	"github.com/inferstack/inferstack/conformance/product"
)

// A property is a part of a CRD's schema.
type property struct {
	Type       string              `json:"type"`
	Properties map[string]property `json:"properties"`
	Items      *property           `json:"items"`
	Enum       []any               `json:"enum"`
	AnyValue   bool                `json:"x-kubernetes-int-or-string"`
}

// pods are fields that hold a pod, which are Kubernetes' own.
var pods = map[string]bool{"template": true, "worker": true}

// expected are the fields that are unknown: the one that is misspelt, and one of an older Gateway API, whose
// SessionPersistence of v1.6 has it no longer.
var expected = regexp.MustCompile(`: misspelt: |\.sessionPersistence\.idleTimeout: `)

// TestFields writes every field of the CRDs, in both versions, into a document and has it converted: none is
// unknown. What becomes of each is in testdata/convert/fields, held by a test of convert.
func TestFields(t *testing.T) {
	pattern := filepath.Join(assets.ModuleDir(t, "github.com/kserve/kserve@v0.20.0"), "config/crd/full/llmisvc/*llminferenceservices.yaml")
	files, _ := filepath.Glob(pattern)
	if len(files) != 1 {
		t.Fatalf("%d CRDs at %s", len(files), pattern)
	}
	data, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	var crd struct {
		Spec struct {
			Versions []struct {
				Name   string `json:"name"`
				Schema struct {
					Whole property `json:"openAPIV3Schema"`
				} `json:"schema"`
			} `json:"versions"`
		} `json:"spec"`
	}
	if err := yaml.Unmarshal(data, &crd); err != nil {
		t.Fatal(err)
	}
	for _, v := range crd.Spec.Versions {
		t.Run(v.Name, func(t *testing.T) {
			spec := v.Schema.Whole.Properties["spec"]
			written := 0
			doc, err := yaml.Marshal(map[string]any{
				"apiVersion": "serving.kserve.io/" + v.Name, "kind": "LLMInferenceService", "metadata": map[string]any{"name": "a", "namespace": "b"},
				"spec": filled(&spec, &written), "misspelt": true,
			})
			if err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(t.TempDir(), "service.yaml")
			if err := os.WriteFile(file, doc, 0o600); err != nil {
				t.Fatal(err)
			}
			said, _ := exec.Command(product.Binary(t), "convert", file).CombinedOutput() // refused for what it says
			found := regexp.MustCompile(`(?m)^.*: unknown field.*$`).FindAllString(string(said), -1)
			if len(found) == 0 || written < 60 {
				t.Errorf("of %d fields none is unknown, not even the one that is misspelt: %s", written, said)
			}
			for _, line := range found {
				if !expected.MatchString(line) {
					t.Error(line)
				}
			}
		})
	}
}

// filled is a value with every field of a schema.
func filled(p *property, written *int) any {
	switch {
	case len(p.Enum) > 0:
		return p.Enum[0]
	case len(p.Properties) > 0:
		out := map[string]any{}
		for name, field := range p.Properties {
			*written++
			if pods[name] {
				out[name] = map[string]any{"containers": []any{map[string]any{"name": "main"}}}
				continue
			}
			out[name] = filled(&field, written)
		}
		return out
	case p.Items != nil:
		return []any{filled(p.Items, written)}
	case p.Type == "integer", p.AnyValue:
		return 1
	case p.Type == "number":
		return 1.5
	case p.Type == "boolean":
		return true
	case p.Type == "object":
		return map[string]any{}
	}
	return "1"
}
