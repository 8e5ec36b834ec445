// Package conform judges emitted objects as their consumers would: an API server that is
// strict about unknown fields, with the schemas and CEL rules of the CRDs; the Pod Security
// admission; Envoy. It is for tests only: no product package may import it, since it
// brings in large parts of Kubernetes and Envoy. It knows nothing of how objects are made.
package conform

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/validation/field"
	yamlutil "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"

	"github.com/inferstack/inferstack/internal/lists"
)

// unpublished are kinds whose CRDs no Go module carries: GKE installs them itself. Their
// fields are held by typed structs and tests where they are generated.
var unpublished = map[string]bool{
	"networking.gke.io/v1 HealthCheckPolicy": true,
	"networking.gke.io/v1 GCPBackendPolicy":  true,
}

// Check returns everything that a consumer would refuse in the object, which is anything
// that marshals to a Kubernetes object in JSON.
func Check(object any) error {
	u, err := generic(object)
	if err != nil {
		return err
	}
	errs := metadata(u)
	switch {
	case isBuiltIn(u):
		errs = append(errs, strictly(u))
	case unpublished[kindKey(u)]:
	default:
		errs = append(errs, againstCRD(u)...)
		errs = append(errs, strictly(u))
	}
	errs = append(errs, envoyMessages(u)...)
	return named(u, errs)
}

// CheckYAML is Check for every document of a YAML stream.
func CheckYAML(data []byte) error {
	objects, err := Documents(data)
	errs := []error{err}
	for _, o := range objects {
		errs = append(errs, Check(o))
	}
	return errors.Join(errs...)
}

// Documents splits a YAML stream into its objects.
func Documents(data []byte) ([]*unstructured.Unstructured, error) {
	var objects []*unstructured.Unstructured
	reader := yamlutil.NewYAMLReader(bufferedReader(data))
	for {
		doc, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return objects, nil
		}
		if err != nil {
			return nil, err
		}
		u := &unstructured.Unstructured{}
		if err := yaml.UnmarshalStrict(doc, &u.Object); err != nil {
			return nil, err
		}
		if u.Object != nil {
			objects = append(objects, u)
		}
	}
}

// generic turns an object into maps as JSON decodes them, with integers kept.
func generic(object any) (*unstructured.Unstructured, error) {
	data, err := json.Marshal(object)
	if err != nil {
		return nil, err
	}
	u := &unstructured.Unstructured{}
	if err := u.UnmarshalJSON(data); err != nil {
		return nil, fmt.Errorf("not a Kubernetes object: %w", err)
	}
	return u, nil
}

func metadata(u *unstructured.Unstructured) []error {
	list := validation.ValidateObjectMetaAccessor(u, u.GetNamespace() != "", nameCheck(u.GetKind()), field.NewPath("metadata"))
	return lists.Map(list, func(err *field.Error) error { return err })
}

// nameCheck is the rule for names of a kind. RBAC takes nearly anything, Services and
// what gets a Service take a DNS label, all others a DNS name.
func nameCheck(kind string) validation.ValidateNameFunc {
	switch kind {
	case "Role", "ClusterRole", "RoleBinding", "ClusterRoleBinding":
		return func(string, bool) []string { return nil }
	case "Service", "InferencePool":
		return validation.NameIsDNS1035Label
	default:
		return validation.NameIsDNSSubdomain
	}
}

func kindKey(u *unstructured.Unstructured) string { return u.GetAPIVersion() + " " + u.GetKind() }

// named joins the errors and says which object they are about.
func named(u *unstructured.Unstructured, errs []error) error {
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("%s %s: %w", u.GetKind(), u.GetName(), err)
	}
	return nil
}

func bufferedReader(data []byte) *bufio.Reader { return bufio.NewReader(bytes.NewReader(data)) }
