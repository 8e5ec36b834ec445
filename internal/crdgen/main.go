// Command crdgen compiles the CRDs of custom resources, which it takes from the modules that
// publish them, to the schemas and limits that package kubeschema reads when it runs. What it leaves
// out are descriptions, and defaults that no rule asks for.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/inferstack/inferstack/internal/conform"
	"github.com/inferstack/inferstack/internal/frozen"
	"github.com/inferstack/inferstack/internal/sorted"
	"github.com/inferstack/inferstack/kubeschema"
)

// compiled is what crdgen writes.
const compiled = "kubeschema/compiled.gen.go"

func main() {
	if err := run("."); err != nil {
		fmt.Fprintln(os.Stderr, "crdgen:", err)
		os.Exit(1)
	}
}

func run(root string) error {
	text, err := generate()
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(root, compiled), text, 0o644)
}

// generate returns the schemas and limits of all kinds, as Go source.
func generate() ([]byte, error) {
	schemas, limits := map[string]*kubeschema.Schema{}, map[string]*kubeschema.Limits{}
	for kind, object := range builtins {
		schemas[kind] = typed(reflect.TypeOf(object))
	}
	err := conform.EachCRD(func(apiVersion, kind string, props *apiextensionsv1.JSONSchemaProps) error {
		name := apiVersion + " " + kind
		// What every object has is not the CRD's.
		for _, field := range []string{"apiVersion", "kind", "metadata", "status"} {
			props.Properties[field] = apiextensionsv1.JSONSchemaProps{}
		}
		if l := limitsOf(props, false); l != nil {
			limits[name] = l
		}
		schemas[name] = schemaOf(props)
		return nil
	})
	if err != nil {
		return nil, err
	}
	source := frozen.New("github.com/inferstack/inferstack/kubeschema")
	source.Var("schemas", sorted.Of(schemas))
	source.Var("limits", sorted.Of(limits))
	return source.Text("internal/crdgen", "!uncompiled")
}

func schemaOf(p *apiextensionsv1.JSONSchemaProps) *kubeschema.Schema {
	s := &kubeschema.Schema{
		Type: p.Type, Required: p.Required, IntOrString: p.XIntOrString, Open: p.XPreserveUnknownFields != nil && *p.XPreserveUnknownFields,
		Minimum: p.Minimum, Maximum: p.Maximum, MinItems: p.MinItems, MaxItems: p.MaxItems, MinLength: p.MinLength, MaxLength: p.MaxLength,
	}
	if p.XIntOrString {
		s.Type = ""
	}
	for _, v := range p.Enum {
		var text any
		if json.Unmarshal(v.Raw, &text) == nil {
			s.Enum = append(s.Enum, fmt.Sprint(text))
		}
	}
	if len(p.Properties) > 0 {
		fields := map[string]*kubeschema.Schema{}
		for name, field := range p.Properties {
			fields[name] = schemaOf(&field)
		}
		s.Properties = sorted.Of(fields)
	}
	if p.Items != nil && p.Items.Schema != nil {
		s.Items = schemaOf(p.Items.Schema)
	}
	if p.AdditionalProperties != nil && p.AdditionalProperties.Schema != nil {
		s.Values = schemaOf(p.AdditionalProperties.Schema)
	}
	return s
}
