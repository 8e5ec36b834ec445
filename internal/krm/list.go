package krm

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// A ResourceList is what a KRM function is handed (KRM Functions Specification v1).
type ResourceList struct {
	APIVersion     string
	FunctionConfig *Object // nil when absent or empty
	Items          []*Object
}

// Kind and APIVersion of a ResourceList.
const (
	ListKind       = "ResourceList"
	ListAPIVersion = "config.kubernetes.io/v1"
)

// versions are those that orchestrators have sent, all of one form (kustomize v4.0 sent
// v1alpha1, kpt before 1.0 v1beta1).
var versions = []string{ListAPIVersion, "config.kubernetes.io/v1beta1", "config.kubernetes.io/v1alpha1"}

// Parse reads a ResourceList. It is nil when the text is something else, and an error when it
// is no YAML, of another version, or of the wrong shape.
func Parse(text []byte) (*ResourceList, error) {
	root, err := onlyDocument(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")))
	if err != nil || root == nil || Text(root, "kind") != ListKind {
		return nil, err
	}
	list := &ResourceList{APIVersion: Text(root, "apiVersion")}
	if !slices.Contains(versions, list.APIVersion) {
		return nil, fmt.Errorf("apiVersion of a ResourceList must be %s (got %q)", ListAPIVersion, list.APIVersion)
	}
	if config := Field(root, "functionConfig"); config != nil && !empty(config) {
		if err := checkObject("functionConfig", config); err != nil {
			return nil, err
		}
		list.FunctionConfig = &Object{config}
	}
	if err := checkList(root, "results"); err != nil {
		return nil, err
	}
	return list, list.takeItems(root)
}

// Of is the object that a document is.
func Of(doc *yaml.Node) (*Object, error) {
	if len(doc.Content) == 0 {
		return nil, errors.New("no object")
	}
	return &Object{doc.Content[0]}, checkObject("object", doc.Content[0])
}

// onlyDocument is the only document of a text, or nil when there is none or there are several.
func onlyDocument(text []byte) (*yaml.Node, error) {
	var root *yaml.Node
	for documents := yaml.NewDecoder(bytes.NewReader(text)); ; {
		var document yaml.Node
		switch err := documents.Decode(&document); {
		case errors.Is(err, io.EOF):
			return root, nil
		case err != nil:
			return nil, err
		case len(document.Content) == 0 || Null(document.Content[0]):
		case root != nil:
			return nil, nil
		default:
			root = document.Content[0]
		}
	}
}

func (l *ResourceList) takeItems(root *yaml.Node) error {
	if err := checkList(root, "items"); err != nil {
		return err
	}
	items := Field(root, "items")
	if items == nil {
		return nil
	}
	for i, item := range items.Content {
		if err := checkObject(fmt.Sprintf("items[%d]", i), item); err != nil {
			return err
		}
		l.Items = append(l.Items, &Object{item})
	}
	return nil
}

func checkList(root *yaml.Node, name string) error {
	if n := Field(root, name); n != nil && n.Kind != yaml.SequenceNode && !Null(n) {
		return fmt.Errorf("%s must be a list", name)
	}
	return nil
}

// checkObject refuses whatever is not a mapping where an object, its metadata, labels or
// annotations belong.
func checkObject(where string, n *yaml.Node) error {
	if n.Kind != yaml.MappingNode {
		return fmt.Errorf("%s: must be an object", where)
	}
	for _, path := range [][]string{{"metadata"}, {"metadata", "annotations"}, {"metadata", "labels"}} {
		if field := Field(n, path...); field != nil && field.Kind != yaml.MappingNode && !Null(field) {
			return fmt.Errorf("%s: %s must be a mapping", where, strings.Join(path, "."))
		}
	}
	return nil
}

func empty(n *yaml.Node) bool {
	return Null(n) || n.Kind == yaml.MappingNode && len(n.Content) == 0
}
