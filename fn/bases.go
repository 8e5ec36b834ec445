package fn

import (
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/inferstack/inferstack/convert"
	"github.com/inferstack/inferstack/convert/modelservice"
)

// markBases keeps the base configurations of ModelServices from being applied, as the
// ModelServices themselves: only the old controller reads them.
func (l *resourceList) markBases(items []*yaml.RNode) {
	var bases []*yaml.RNode
	var names []modelservice.Names
	for _, base := range items {
		if isConfigMap(base) {
			bases, names = append(bases, base), append(names, namesOf(base))
		}
	}
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
		if i := modelservice.FindBase(names, name, namespace); i >= 0 {
			markLocal(bases[i])
		}
	}
}

func namesOf(item *yaml.RNode) modelservice.Names {
	annotations := item.GetAnnotations()
	return modelservice.Names{
		Name: item.GetName(), Namespace: item.GetNamespace(),
		Before: annotations[modelservice.PreviousNames], NamespacesBefore: annotations[modelservice.PreviousNamespaces],
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
