package fn

import (
	"github.com/inferstack/inferstack/convert"
	"github.com/inferstack/inferstack/convert/modelservice"
	"github.com/inferstack/inferstack/internal/krm"
)

// markBases keeps the base configurations of ModelServices from being applied, as the
// ModelServices themselves: only the old controller reads them.
func (l *resourceList) markBases(items []*krm.Object) {
	var bases []*krm.Object
	var names []modelservice.Names
	for _, base := range items {
		if isConfigMap(base) {
			bases, names = append(bases, base), append(names, namesOf(base))
		}
	}
	for _, item := range append([]*krm.Object{l.config}, items...) {
		if item == nil || !convert.Known(item.APIVersion(), item.Kind()) {
			continue
		}
		ref := krm.Field(item.Node, "spec", "baseConfigMapRef")
		if ref == nil {
			continue
		}
		name, namespace := krm.Text(ref, "name"), krm.Text(ref, "namespace")
		if namespace == "" {
			namespace = item.Namespace()
		}
		if i := modelservice.FindBase(names, name, namespace); i >= 0 {
			markLocal(bases[i])
		}
	}
}

func namesOf(item *krm.Object) modelservice.Names {
	return modelservice.Names{
		Name: item.Name(), Namespace: item.Namespace(),
		Before: item.Annotation(modelservice.PreviousNames), NamespacesBefore: item.Annotation(modelservice.PreviousNamespaces),
	}
}

func isConfigMap(item *krm.Object) bool {
	return item.APIVersion() == "v1" && item.Kind() == "ConfigMap"
}
