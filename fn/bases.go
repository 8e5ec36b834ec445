package main

import (
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/inferstack/inferstack/convert"
)

// markBases keeps the base configurations of ModelServices from being applied, as the
// ModelServices themselves: only the old controller reads them.
func (l *resourceList) markBases(items []*yaml.RNode) {
	for _, item := range append([]*yaml.RNode{l.config}, items...) {
		if item == nil || !convert.Known(item.GetApiVersion(), item.GetKind()) {
			continue
		}
		ref, err := item.Pipe(yaml.Lookup("spec", "baseConfigMapRef"))
		if err != nil || ref == nil {
			continue
		}
		name, namespace := text(ref, "name"), text(ref, "namespace")
		if namespace == "" {
			namespace = item.GetNamespace()
		}
		for _, base := range items {
			own := base.GetNamespace()
			if isConfigMap(base) && base.GetName() == name && (own == namespace || own == "" || namespace == "") {
				markLocal(base)
			}
		}
	}
}

func isConfigMap(item *yaml.RNode) bool {
	return item.GetApiVersion() == "v1" && item.GetKind() == "ConfigMap"
}

// text is the text of a field, or "".
func text(n *yaml.RNode, field string) string {
	value, err := n.Pipe(yaml.Lookup(field))
	if err != nil || value == nil || value.YNode().Kind != yaml.ScalarNode {
		return ""
	}
	return value.YNode().Value
}
