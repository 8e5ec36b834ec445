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
// reads nothing else of it.
func openAPI(m *schemaModel) ([]byte, error) {
	root := merged(m.Root)
	root["x-kubernetes-group-version-kind"] = []node{{"group": "inferstack.dev", "version": "v1alpha1", "kind": rootName}}
	data, err := json.MarshalIndent(node{
		"swagger":     "2.0",
		"info":        node{"title": "Merge keys of " + rootName, "version": "v1alpha1"},
		"definitions": node{"dev.inferstack.v1alpha1." + rootName: root},
	}, "", "  ")
	return append(data, '\n'), err
}

// merged is what there is to say of a type, nil for nothing.
func merged(t *model.Type) node {
	switch t.Kind {
	case model.Struct:
		props := node{}
		for i := range t.Fields {
			f := &t.Fields[i]
			if f.Name == "podTemplatePatch" {
				props[f.Name] = object(node{"spec": object(podLists)})
			} else if p := merged(f.Type); p != nil {
				props[f.Name] = p
			}
		}
		if len(props) == 0 {
			return nil
		}
		return object(props)
	case model.List:
		return mergedList(t.Elem)
	}
	return nil
}

func mergedList(elem *model.Type) node {
	if elem.GoType == "core/v1.Container" {
		return podLists["containers"].(node)
	}
	keys := mergeKeys[elem.GoType]
	named := func(f model.Field) bool { return f.Name == "name" && f.Required }
	if elem.Kind == model.Struct && slices.ContainsFunc(elem.Fields, named) {
		keys = []string{"name"}
	}
	if keys == nil {
		return nil
	}
	items := merged(elem)
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
var podLists = func() node {
	entries := func(name string) node { return byKeys(node{"type": "object"}, mergeKeys[name]...) }
	containers := byKeys(object(node{"env": entries("core/v1.EnvVar"), "volumeMounts": entries("core/v1.VolumeMount")}), "name")
	return node{"containers": containers, "initContainers": containers, "volumes": entries("core/v1.Volume")}
}()
