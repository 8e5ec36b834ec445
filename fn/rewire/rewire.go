// Package rewire fixes, after kustomize has given objects other names or namespaces,
// the references that no configuration of kustomize can follow: host names inside
// longer texts, arguments, route names that Istio derives, namespaces of references.
// It goes by what kustomize notes on each object during a build (kustomize
// api/internal/utils/annotations.go, v5) and knows nothing of a stack's spec.
package rewire

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/internal/krm"
)

// Kind of the functionConfig that asks for it, in the API group of the stack.
const Kind = "Rewire"

// Labels that every object of a stack carries.
const (
	labelManagedBy = "app.kubernetes.io/managed-by"
	manager        = "inferstack"
)

// Apply fixes the items in place. An error says what could not be followed; the items
// are of no use then.
func Apply(items []*krm.Object) []error {
	moves := movesOf(items)
	r := &rewirer{moves: moves}
	stacks := 0
	for _, item := range items {
		if item.Label(labelManagedBy) == manager {
			stacks++
		}
		r.item(item)
	}
	if stacks == 0 {
		r.errs = append(r.errs, fmt.Errorf("no object of an InferenceStack (label %s: %s) among the %d items", labelManagedBy, manager, len(items)))
	}
	return r.errs
}

type rewirer struct {
	moves *moves
	errs  []error
	where string // the item at hand, for messages
}

func (r *rewirer) errorf(format string, args ...any) {
	r.errs = append(r.errs, fmt.Errorf("%s: "+format, append([]any{r.where}, args...)...))
}

// item fixes one object: all of it but its own identity and the notes of tools.
func (r *rewirer) item(item *krm.Object) {
	r.where = item.Kind() + " " + strings.TrimPrefix(item.Namespace()+"/"+item.Name(), "/")
	for key, value := range krm.Fields(item.Node) {
		if key != "metadata" {
			r.walk(value, key)
			continue
		}
		for name, text := range krm.Fields(krm.Field(value, "annotations")) {
			if !strings.Contains(name, "config.kubernetes.io/") && !strings.Contains(name, "config.k8s.io/") {
				r.text(text)
			}
		}
	}
	if item.Label(labelManagedBy) != manager {
		return
	}
	switch item.Kind() {
	case "Deployment":
		r.poolArguments(item)
	case "PrometheusRule":
		r.queries(item, item.Node)
	case "ScaledObject", "HorizontalPodAutoscaler":
		r.queries(item, item.Node)
		r.variants(item, krm.Field(item.Node, "spec"))
	case "EnvoyFilter":
		r.routeNames(item)
	case "ReferenceGrant":
		r.grants(item)
	}
}

// walk fixes what is the same in every kind: texts and references.
func (r *rewirer) walk(n *yaml.Node, key string) {
	switch n.Kind {
	case yaml.ScalarNode:
		switch key {
		case "kubernetes.io/metadata.name":
			r.namespace(n)
		case "gateway.networking.k8s.io/gateway-name":
			r.gatewayName(n)
		default:
			r.text(n)
		}
	case yaml.MappingNode:
		r.reference(n, key)
		for name, value := range krm.Fields(n) {
			r.walk(value, name)
		}
	case yaml.SequenceNode:
		for _, element := range n.Content {
			r.walk(element, key)
		}
	}
}
