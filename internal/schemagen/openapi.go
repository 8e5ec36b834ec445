package main

import (
	"encoding/json"
	"slices"

	"github.com/inferstack/inferstack/internal/model"
)

// mergeKeys are the keys by which entries of lists of Kubernetes types are one: those of the
// API's own patches (kubernetes api core/v1 types.go, patchMergeKey). Tolerations have none that is
// always there and different: kustomize would drop or repeat some of them, so they are replaced as a whole.
var mergeKeys = map[string][]string{
	"core/v1.Container":                {"name"},
	"core/v1.EnvVar":                   {"name"},
	"core/v1.TopologySpreadConstraint": {"topologyKey", "whenUnsatisfiable"},
	"core/v1.Volume":                   {"name"},
	"core/v1.VolumeMount":              {"mountPath"},
}

// openAPI writes how strategic merge patches, as kustomize makes them, merge the lists of an
// InferenceStack: entry by entry, where entries have names. It says nothing else, for kustomize
// reads nothing else of it, and each time a stack is patched: what stands in several places is
// a definition.
func openAPI(m *schemaModel) ([]byte, error) {
	o := openAPITypes{definitions: node{definition("Container"): container, definition("Pod"): object(podLists)}}
	o.merged(m.Root)
	root := o.definitions[definition(rootName)].(node)
	root["x-kubernetes-group-version-kind"] = []node{{"group": "inferstack.dev", "version": "v1alpha1", "kind": rootName}}
	data, err := json.MarshalIndent(node{
		"swagger":     "2.0",
		"info":        node{"title": "Merge keys of " + rootName, "version": "v1alpha1"},
		"definitions": o.definitions,
	}, "", "  ")
	return append(data, '\n'), err
}

// openAPITypes writes types once each.
type openAPITypes struct{ definitions node }

// definition is the name of that of a type.
func definition(name string) string { return "dev.inferstack.v1alpha1." + name }

func refer(definition string) node { return node{"$ref": "#/definitions/" + definition} }

// merged is what there is to say of a type, nil for nothing.
func (o *openAPITypes) merged(t *model.Type) node {
	switch t.Kind {
	case model.Struct:
		return o.mergedStruct(t)
	case model.List:
		return o.mergedList(t.Elem)
	}
	return nil
}

func (o *openAPITypes) mergedStruct(t *model.Type) node {
	name := definition(t.Name)
	if _, known := o.definitions[name]; known {
		return refer(name)
	}
	props := node{}
	for i := range t.Fields {
		f := &t.Fields[i]
		if f.Name == "podTemplatePatch" {
			props[f.Name] = object(node{"spec": refer(definition("Pod"))})
		} else if p := o.merged(f.Type); p != nil {
			props[f.Name] = p
		}
	}
	switch {
	case len(props) == 0:
		return nil
	case t.Name == "":
		return object(props)
	}
	o.definitions[name] = object(props)
	return refer(name)
}

func (o *openAPITypes) mergedList(elem *model.Type) node {
	if elem.GoType == "core/v1.Container" {
		return containers
	}
	keys := mergeKeys[elem.GoType]
	named := func(f model.Field) bool { return f.Name == "name" && f.Required }
	if elem.Kind == model.Struct && slices.ContainsFunc(elem.Fields, named) {
		keys = []string{"name"}
	}
	if keys == nil {
		return nil
	}
	items := o.merged(elem)
	if items == nil {
		items = node{"type": "object"}
	}
	return byKeys(items, keys...)
}

func object(props node) node { return node{"type": "object", "properties": props} }

func byKeys(items node, keys ...string) node {
	list := node{"type": "array", "items": items, "x-kubernetes-patch-strategy": "merge"}
	if len(keys) == 1 {
		list["x-kubernetes-patch-merge-key"] = keys[0]
	} else {
		list["x-kubernetes-list-map-keys"] = keys
	}
	return list
}

// podLists are the lists of a pod, for those of containers are within others.
var podLists = node{"containers": containers, "initContainers": containers, "volumes": entries("core/v1.Volume")}

var (
	container  = object(node{"env": entries("core/v1.EnvVar"), "volumeMounts": entries("core/v1.VolumeMount")})
	containers = byKeys(refer(definition("Container")), "name")
)

func entries(name string) node { return byKeys(node{"type": "object"}, mergeKeys[name]...) }
