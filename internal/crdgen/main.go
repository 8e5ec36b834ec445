// Command crdgen compiles the CRDs of custom resources, which it takes from the modules that
// publish them, to the schemas and limits that package kubeschema reads when it runs. What it leaves
// out are descriptions, and defaults that no rule asks for.
package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/inferstack/inferstack/internal/conform"
	"github.com/inferstack/inferstack/internal/packed"
	"github.com/inferstack/inferstack/kubeschema"
)

// The folders of package kubeschema: the schemas are read at every run, the limits by check alone.
const (
	schemas = "compiled"
	limits  = "limits"
)

func main() {
	if err := run("."); err != nil {
		fmt.Fprintln(os.Stderr, "crdgen:", err)
		os.Exit(1)
	}
}

func run(root string) error {
	folders, err := generate()
	if err != nil {
		return err
	}
	for folder, files := range folders {
		if err := write(filepath.Join(root, "kubeschema", folder), files); err != nil {
			return err
		}
	}
	return nil
}

func write(dir string, files map[string][]byte) error {
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := os.WriteFile(filepath.Join(dir, name), files[name], 0o644); err != nil {
			return err
		}
	}
	return nil
}

// generate returns the files of each folder.
func generate() (map[string]map[string][]byte, error) {
	folders := map[string]map[string][]byte{schemas: {}, limits: {}}
	err := conform.EachCRD(func(apiVersion, kind string, props *apiextensionsv1.JSONSchemaProps) error {
		name := kubeschema.FileName(apiVersion, kind)
		s := schemaOf(props)
		// What every object has is not the CRD's.
		for _, name := range []string{"apiVersion", "kind", "metadata", "status"} {
			s.Properties[name] = &kubeschema.Schema{}
			delete(props.Properties, name)
		}
		var err error
		if folders[schemas][name], err = pack(s); err != nil {
			return err
		}
		if l := limitsOf(props, false); l != nil {
			folders[limits][name], err = pack(l)
		}
		return err
	})
	return folders, err
}

func pack(v any) ([]byte, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return packed.Pack(append(data, '\n'))
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
		s.Properties = map[string]*kubeschema.Schema{}
		for name, field := range p.Properties {
			s.Properties[name] = schemaOf(&field)
		}
	}
	if p.Items != nil && p.Items.Schema != nil {
		s.Items = schemaOf(p.Items.Schema)
	}
	if p.AdditionalProperties != nil && p.AdditionalProperties.Schema != nil {
		s.Values = schemaOf(p.AdditionalProperties.Schema)
	}
	return s
}
