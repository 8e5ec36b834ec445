package wiring

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/schema"
)

// A Ref names an object. An empty namespace is that of whoever applies the objects, or
// none for a kind that is in no namespace.
type Ref struct {
	Group     string `json:"group,omitempty"`
	Kind      string `json:"kind"`
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name"`
}

// String is Kind namespace/name.
func (r Ref) String() string {
	name := r.Name
	if r.Namespace != "" {
		name = r.Namespace + "/" + name
	}
	return strings.TrimSpace(r.Kind + " " + name)
}

// An Object is a Kubernetes object and where it is written.
type Object struct {
	Ref
	// APIVersion as written.
	APIVersion string
	// File and Line where the object begins.
	File string
	Line int

	labels, annotations map[string]string
	root                field
}

// Node is the object's YAML.
func (o *Object) Node() *yaml.Node { return o.root.node }

// at is a field of the object.
func (o *Object) at(path ...any) field { return o.root.at(path...) }

// Read returns the objects of a file of one or more YAML documents; what a List holds is
// taken one by one. Documents that are no Kubernetes objects are left out.
func Read(file string, data []byte) ([]*Object, error) {
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	var objects []*Object
	for {
		var doc yaml.Node
		err := decoder.Decode(&doc)
		if errors.Is(err, io.EOF) {
			return objects, nil
		}
		if err != nil {
			return objects, fmt.Errorf("%s: %w", file, err)
		}
		if err := unaliased(&doc); err != nil {
			return objects, fmt.Errorf("%s: %w", file, err)
		}
		if len(doc.Content) > 0 {
			objects = append(objects, objectsOf(file, field{node: resolved(doc.Content[0])})...)
		}
	}
}

// unaliased refuses aliases that hold themselves, or that make much out of little.
func unaliased(doc *yaml.Node) error {
	if !hasAlias(doc) {
		return nil
	}
	return schema.Sound(doc)
}

func hasAlias(n *yaml.Node) bool {
	return n.Kind == yaml.AliasNode || slices.ContainsFunc(n.Content, hasAlias)
}

func objectsOf(file string, root field) []*Object {
	kind := root.at("kind").text()
	if root.at("items").is() && strings.HasSuffix(kind, "List") {
		var objects []*Object
		for _, item := range root.at("items").list() {
			objects = append(objects, objectsOf(file, item)...)
		}
		return objects
	}
	apiVersion, meta := root.at("apiVersion").text(), root.at("metadata")
	if kind == "" || apiVersion == "" || meta.at("name").text() == "" {
		return nil
	}
	return []*Object{{
		Ref:         Ref{groupOf(apiVersion), kind, meta.at("namespace").text(), meta.at("name").text()},
		APIVersion:  apiVersion,
		File:        file,
		Line:        root.line(),
		labels:      meta.at("labels").texts(),
		annotations: meta.at("annotations").texts(),
		root:        root,
	}}
}

func groupOf(apiVersion string) string {
	group, _, ok := strings.Cut(apiVersion, "/")
	if !ok {
		return ""
	}
	return group
}
