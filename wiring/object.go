package wiring

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/schema"
	"github.com/inferstack/inferstack/schema/document"
)

// An Object is a Kubernetes object and where it is written.
type Object struct {
	Ref
	// APIVersion as written.
	APIVersion string
	// File and Line where the object begins.
	File string
	Line int

	labels map[string]string
	root   field
}

// Node is the object's YAML.
func (o *Object) Node() *yaml.Node { return o.root.node }

// at is a field of the object.
func (o *Object) at(path ...any) field { return o.root.at(path...) }

// Read returns the objects of a file of one or more YAML documents; what a List holds is
// taken one by one. Documents that are no Kubernetes objects are left out. What cannot be
// read, or has a key twice and so two meanings, is refused with its place.
func Read(file string, data []byte) ([]*Object, error) {
	all, err := ReadAll(file, data)
	return slices.DeleteFunc(all, func(o *Object) bool { return o.Name == "" }), err
}

// ReadAll is Read with the objects that have no name.
func ReadAll(file string, data []byte) ([]*Object, error) {
	decoder := yaml.NewDecoder(bytes.NewReader(document.JSONAsYAML(data)))
	var objects []*Object
	var refused schema.Problems
	for {
		var doc yaml.Node
		err := decoder.Decode(&doc)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return objects, untemplated(data, append(refused, misread(file, data, err)))
		}
		if hasAlias(&doc) { // one that holds itself, or makes much out of little, is not walked
			if problems := unsound(file, &doc); len(problems) > 0 {
				refused = append(refused, problems...)
				continue
			}
		}
		if len(doc.Content) > 0 {
			objects = append(objects, objectsOf(file, field{node: resolved(doc.Content[0])})...)
		}
	}
	for _, o := range objects {
		refused = append(refused, unsound(file, o.Node())...)
	}
	if len(refused) > 0 {
		return objects, untemplated(data, refused)
	}
	return objects, nil
}

func unsound(file string, n *yaml.Node) schema.Problems {
	return document.Unsound(schema.Source{File: file, Lines: true}, n)
}

// untemplated says of what cannot be read that it is a template, where it is one.
func untemplated(data []byte, refused schema.Problems) schema.Problems {
	if bytes.Contains(data, []byte("{{")) {
		refused[0].Message += "; this is a template: run helm template first, and give what it writes"
	}
	return refused
}

// misread is an error of the YAML library as document.Read puts it: it stops there, too.
func misread(file string, data []byte, err error) schema.Problem {
	if _, problems := document.Read(file, data); len(problems) > 0 {
		return problems[len(problems)-1]
	}
	return schema.Problem{Severity: schema.Error, File: file, Message: err.Error()}
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
	if kind == "" || apiVersion == "" {
		return nil
	}
	return []*Object{{
		Ref:        Ref{Group: groupOf(apiVersion), Kind: kind, Namespace: meta.at("namespace").text(), Name: meta.at("name").text()},
		APIVersion: apiVersion,
		File:       file,
		Line:       root.line(),
		labels:     meta.at("labels").texts(),
		root:       root,
	}}
}

// Of returns the objects that a tree is, which may never have been written out.
func Of(n *yaml.Node) []*Object { return objectsOf("", field{node: n}) }

func groupOf(apiVersion string) string {
	group, _, ok := strings.Cut(apiVersion, "/")
	if !ok {
		return ""
	}
	return group
}
