package rewire

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/internal/krm"
	"github.com/inferstack/inferstack/internal/pattern"
)

// inQuery is a matcher of PromQL for one namespace.
var inQuery = pattern.Lazy(`\bnamespace="([^"]*)"`)

// queries moves the namespaces in the PromQL of alerts and scalers.
func (r *rewirer) queries(item *krm.Object, n *yaml.Node) {
	if n.Kind == yaml.ScalarNode && strings.Contains(n.Value, "namespace=") {
		n.Value = inQuery().ReplaceAllStringFunc(n.Value, func(matcher string) string {
			return `namespace="` + r.movedNamespace(item, inQuery().FindStringSubmatch(matcher)[1]) + `"`
		})
	}
	for _, value := range n.Content {
		r.queries(item, value)
	}
}

// movedNamespace is where all objects of a namespace have gone, or else the object that
// names it.
func (r *rewirer) movedNamespace(item *krm.Object, namespace string) string {
	if to, ok := r.moves.namespace[namespace]; ok {
		return to
	}
	for _, before := range previous(item) {
		if before.namespace == namespace {
			return item.Namespace()
		}
	}
	return namespace
}
