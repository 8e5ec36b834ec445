package document_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cuelang.org/go/cue/cuecontext"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"
	sigsyaml "sigs.k8s.io/yaml"

	"github.com/inferstack/inferstack/internal/model"
	"github.com/inferstack/inferstack/published"
	"github.com/inferstack/inferstack/schema"
	"github.com/inferstack/inferstack/schema/document"
	"github.com/inferstack/inferstack/schema/rules"
)

// editorSchema is the JSON Schema as an editor compiles it.
func editorSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	return compiledSchema(t, published.JSONSchema())
}

func compiledSchema(t *testing.T, text string) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("stack.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("stack.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestJSONSchema asks the JSON Schema about every document of testdata and
// examples: what Parse accepts, it accepts; what breaks the structure, it refuses.
func TestJSONSchema(t *testing.T) {
	s := editorSchema(t)
	accepted, refused := 0, 0
	for _, pattern := range []string{"../../testdata/*/*.yaml", "../../examples/*/*.yaml"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			docs, _ := document.Read(file, data)
			for _, d := range docs {
				if !d.IsStack() {
					continue
				}
				stack, _ := rules.Parse(d.Node, d.Source)
				switch err := s.Validate(plainJSON(t, d.Node)); {
				case stack != nil && err != nil:
					t.Errorf("%s: %v", file, err)
				case stack != nil:
					accepted++
				case err != nil:
					refused++
				}
			}
		}
	}
	if accepted < 5 || refused < 50 {
		t.Errorf("%d accepted and %d refused; both must be many", accepted, refused)
	}
}

// plainJSON is a document as a JSON Schema library sees it. What YAML can say and
// JSON cannot is left out, which is for Parse to refuse.
func plainJSON(t *testing.T, n *yaml.Node) any {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(document.PlainJSON(n)))
	if err != nil {
		return nil
	}
	return v
}

// TestCUE proves that the files joined for the user are the schema.
func TestCUE(t *testing.T) {
	v := cuecontext.New().CompileString(schema.CUE())
	if err := v.Err(); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("../*.cue")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(data)) {
			if strings.HasPrefix(line, "#") && !strings.Contains(schema.CUE(), line) {
				t.Errorf("%s: %s is missing", file, strings.TrimSpace(line))
			}
		}
	}
}

// TestCRD reads the CustomResourceDefinition's schema beside the model: every
// field is there, with its default.
func TestCRD(t *testing.T) {
	var crd struct {
		Spec struct {
			Versions []struct {
				Schema struct {
					OpenAPIV3Schema map[string]any
				}
			}
		}
	}
	if err := sigsyaml.Unmarshal([]byte(published.CRD()), &crd); err != nil {
		t.Fatal(err)
	}
	top := crd.Spec.Versions[0].Schema.OpenAPIV3Schema["properties"].(map[string]any)
	sameFields(t, "spec", document.Root.Lookup("spec").Type, top["spec"].(map[string]any))
}

func sameFields(t *testing.T, path string, typ *model.Type, open map[string]any) {
	t.Helper()
	props, _ := open["properties"].(map[string]any)
	if len(props) != len(typ.Fields) {
		t.Errorf("%s: %d properties for %d fields", path, len(props), len(typ.Fields))
	}
	for i := range typ.Fields {
		f := &typ.Fields[i]
		p, ok := props[f.Name].(map[string]any)
		if !ok {
			t.Errorf("%s.%s is missing", path, f.Name)
			continue
		}
		if f.Default != nil && toJSON(t, p["default"]) != toJSON(t, f.Default) {
			t.Errorf("%s.%s: default %v, want %v", path, f.Name, p["default"], f.Default)
		}
		if f.Type.Kind == model.Struct {
			sameFields(t, path+"."+f.Name, f.Type, p)
		}
	}
}

func toJSON(t *testing.T, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestDefaults proves that every default passes the checks a user's value must.
func TestDefaults(t *testing.T) {
	seen := map[*model.Type]bool{}
	var visit func(path string, typ *model.Type)
	visit = func(path string, typ *model.Type) {
		if typ == nil || seen[typ] {
			return
		}
		seen[typ] = true
		visit(path, typ.Elem)
		for i := range typ.Fields {
			f := &typ.Fields[i]
			visit(path+"."+f.Name, f.Type)
			if f.Default == nil {
				continue
			}
			var n yaml.Node
			if err := n.Encode(f.Default); err != nil {
				t.Fatal(err)
			}
			if ok, problems := document.Value(f.Type, &n); !ok || problems != nil {
				t.Errorf("%s.%s: the default %v is refused: %v", path, f.Name, f.Default, problems)
			}
		}
	}
	visit("", document.Root)
}

// TestPartialJSONSchema takes patches, and marks in them what a whole stack may not say either.
func TestPartialJSONSchema(t *testing.T) {
	s := compiledSchema(t, published.PartialJSONSchema())
	for text, ok := range map[string]bool{
		"spec: {decode: {replicas: 4}}":                                                                                   true,
		"metadata: {name: a}\nspec: {prefill: null}":                                                                      true,
		"spec: {server: {env: [{name: A, $patch: delete}], tolerations: [{key: a}]}}":                                     true,
		"spec: {server: {$patch: replace, engine: simulator}}":                                                            true,
		"metadata: {annotations: {a: null}}\nspec: {server: {nodeSelector: {a: null}, resources: {limits: {cpu: null}}}}": true,
		"spec: {decode: {replicas: many}}":                                                                                false,
		"spec: {decode: {replica: 4}}":                                                                                    false,
		"spec: {server: {tolerations: [{operater: Exists}]}}":                                                             false,
		"spec: {server: {containers: [{name: a, env: [{nam: A}]}]}}":                                                      false,
	} {
		var node yaml.Node
		if err := yaml.Unmarshal([]byte(text), &node); err != nil {
			t.Fatal(err)
		}
		if err := s.Validate(plainJSON(t, node.Content[0])); (err == nil) != ok {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestJSONSchemaClosesKubernetesTypes marks a misspelt field of each Kubernetes type.
func TestJSONSchemaClosesKubernetesTypes(t *testing.T) {
	s := editorSchema(t)
	for text, ok := range map[string]bool{
		"tolerations: [{operator: Exists}]":                               true,
		"tolerations: [{operater: Exists}]":                               false,
		"env: [{name: A, valueFrom: {secretKeyRef: {name: a, key: b}}}]":  true,
		"env: [{name: A, valueFrom: {secretKeyReff: {name: a, key: b}}}]": false,
		"env: [{value: a}]": false,
		"volumes: [{name: a, emptyDir: {sizeLimit: 1Gi}}]":                   true,
		"volumes: [{name: a, emptyDir: {sizelimit: 1Gi}}]":                   false,
		"containers: [{name: a, livenessProbe: {httpGet: {port: http}}}]":    true,
		"containers: [{name: a, livenessProbe: {httpGet: {prt: http}}}]":     false,
		"affinity: {nodeAffinity: {required: {}}}":                           false,
		"topologySpreadConstraints: [{maxSkew: 1, topologyKey: a, when: b}]": false,
		"lifecycle: {preStop: {sleep: {seconds: 5}}}":                        true,
		"lifecycle: {prestop: {sleep: {seconds: 5}}}":                        false,
	} {
		var node yaml.Node
		document := "apiVersion: inferstack.dev/v1alpha1\nkind: InferenceStack\nmetadata: {name: a}\nspec:\n  model: {name: m}\n  server:\n    " + text + "\n"
		if err := yaml.Unmarshal([]byte(document), &node); err != nil {
			t.Fatal(err)
		}
		if err := s.Validate(plainJSON(t, node.Content[0])); (err == nil) != ok {
			t.Errorf("%s: %v", text, err)
		}
	}
}
