package conform

import (
	"context"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/yaml"

	"github.com/inferstack/inferstack/published"
)

// TestSchemaIsStructural lets the API server's own code judge the
// CustomResourceDefinition of the schema: it is structural, and every default in
// it fits where it stands.
func TestSchemaIsStructural(t *testing.T) {
	var crd apiextensionsv1.CustomResourceDefinition
	if err := yaml.UnmarshalStrict([]byte(published.CRD()), &crd); err != nil {
		t.Fatal(err)
	}
	var props apiextensions.JSONSchemaProps
	if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(crd.Spec.Versions[0].Schema.OpenAPIV3Schema, &props, nil); err != nil {
		t.Fatal(err)
	}
	s, err := structuralschema.NewStructural(&props)
	if err != nil {
		t.Fatal(err)
	}
	path := field.NewPath("openAPIV3Schema")
	for _, err := range structuralschema.ValidateStructural(path, s) {
		t.Error(err)
	}
	defaults, err := defaulting.ValidateDefaults(context.Background(), path, s, true, true)
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range defaults {
		t.Error(err)
	}
}
