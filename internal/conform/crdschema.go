package conform

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/validation/field"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"sigs.k8s.io/yaml"
)

// A crdSchema is one version of a CRD, ready to judge objects.
type crdSchema struct {
	structural *structuralschema.Structural
	openAPI    validation.SchemaValidator
	rules      *cel.Validator
}

// schemas are made once for each kind and version that is asked for: compiling the rules
// of an HTTPRoute takes longer than all its checks.
var schemas struct {
	sync.Mutex
	byKind map[string]*crdSchema
}

// againstCRD does what an API server does on create with strict field validation: look for
// unknown fields, fill in defaults, check OpenAPI, list keys and CEL rules.
func againstCRD(u *unstructured.Unstructured) []error {
	s, err := schemaOf(u)
	if err != nil {
		return []error{err}
	}
	return s.refusals(u.DeepCopy().Object)
}

// refusals are what the API server has against an object, in which it fills in defaults.
func (s *crdSchema) refusals(object map[string]any) (errs []error) {
	unknown := pruning.PruneWithOptions(object, s.structural, true, structuralschema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true})
	for _, path := range unknown {
		errs = append(errs, fmt.Errorf("%s: unknown field", path))
	}
	defaulting.Default(object, s.structural)
	list := validation.ValidateCustomResource(nil, object, s.openAPI)
	list = append(list, listtype.ValidateListSetsAndMaps(nil, s.structural, object)...)
	if s.rules != nil {
		broken, _ := s.rules.Validate(context.Background(), field.NewPath(""), s.structural, object, nil, celconfig.RuntimeCELCostBudget)
		list = append(list, broken...)
	}
	for _, err := range list {
		errs = append(errs, err)
	}
	return errs
}

func schemaOf(u *unstructured.Unstructured) (*crdSchema, error) {
	schemas.Lock()
	defer schemas.Unlock()
	key := kindKey(u)
	if s := schemas.byKind[key]; s != nil {
		return s, nil
	}
	gvk := u.GroupVersionKind()
	file, ok := crdFiles[gvk.Group+"/"+gvk.Kind]
	if !ok {
		return nil, fmt.Errorf("no schema of %s is known", key)
	}
	props, err := file.version(gvk.Kind, gvk.Version)
	if err != nil {
		return nil, err
	}
	s, err := compile(props)
	if err != nil {
		return nil, fmt.Errorf("CRD of %s: %w", key, err)
	}
	if schemas.byKind == nil {
		schemas.byKind = map[string]*crdSchema{}
	}
	schemas.byKind[key] = s
	return s, nil
}

// version finds the schema of a kind's version in the file, which may hold many CRDs.
func (f crdFile) version(kind, version string) (*apiextensions.JSONSchemaProps, error) {
	data, err := f.read()
	if err != nil {
		return nil, err
	}
	for doc := range strings.SplitSeq(string(data), "\n---") {
		if !strings.Contains(doc, "kind: "+kind+"\n") {
			continue
		}
		var crd apiextensionsv1.CustomResourceDefinition
		if err := yaml.Unmarshal([]byte(doc), &crd); err != nil {
			return nil, fmt.Errorf("%s: %w", f.path, err)
		}
		for _, v := range crd.Spec.Versions {
			if crd.Spec.Names.Kind == kind && v.Name == version && v.Served {
				newer(kind, v.Schema.OpenAPIV3Schema)
				out := &apiextensions.JSONSchemaProps{}
				return out, apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(v.Schema.OpenAPIV3Schema, out, nil)
			}
		}
	}
	return nil, fmt.Errorf("%s serves no %s %s", f.path, version, kind)
}

func compile(props *apiextensions.JSONSchemaProps) (*crdSchema, error) {
	structural, err := structuralschema.NewStructural(props)
	if err != nil {
		return nil, err
	}
	openAPI, _, err := validation.NewSchemaValidator(props)
	if err != nil {
		return nil, err
	}
	return &crdSchema{structural: structural, openAPI: openAPI, rules: cel.NewValidator(structural, true, celconfig.PerCallLimit)}, nil
}
