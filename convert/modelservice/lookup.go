package modelservice

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/schema/document"
)

// Names are the name and namespace of a ConfigMap, and what kustomize wrote of earlier
// ones: lists of equal length, in its annotations PreviousNames and PreviousNamespaces.
type Names struct{ Name, Namespace, Before, NamespacesBefore string }

// What kustomize writes on an object whose name or namespace it changes (kustomize
// api/internal/utils/annotations.go v0.21).
const (
	PreviousNames      = "internal.config.kubernetes.io/previousNames"
	PreviousNamespaces = "internal.config.kubernetes.io/previousNamespaces"
)

// FindBase says which ConfigMap a baseConfigMapRef means, or -1. kustomize renames the
// ConfigMap and does not know the reference, so that it may have the earlier name.
func FindBase(configs []Names, name, namespace string) int {
	for i, c := range configs {
		if c.Name == name && (c.Namespace == namespace || c.Namespace == "" || namespace == "") {
			return i
		}
	}
	for i, c := range configs {
		if c.was(name, namespace) {
			return i
		}
	}
	return -1
}

// was reports whether a reference means an earlier name. The referrer's namespace is changed
// along with the ConfigMap's, one that the reference names is not.
func (c Names) was(name, namespace string) bool {
	namespaces := strings.Split(c.NamespacesBefore, ",")
	for i, before := range strings.Split(c.Before, ",") {
		if before != name {
			continue
		}
		if namespace == "" || c.Namespace == "" || c.Namespace == namespace || i < len(namespaces) && namespaces[i] == namespace {
			return true
		}
	}
	return false
}

func namesOf(doc document.Document) Names {
	return Names{doc.Name, doc.Namespace, annotation(doc, PreviousNames), annotation(doc, PreviousNamespaces)}
}

func annotation(doc document.Document, key string) string {
	n := doc.At("metadata.annotations[" + key + "]")
	if n == nil || n.Kind != yaml.ScalarNode {
		return ""
	}
	return n.Value
}
