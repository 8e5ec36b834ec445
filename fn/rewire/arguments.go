package rewire

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/internal/krm"
	"github.com/inferstack/inferstack/internal/lists"
)

// Flags by which the EPP is told its pool (llm-d-router, GIE: cmd/epp/runner).
const (
	poolName      = "--pool-name="
	poolNamespace = "--pool-namespace="
)

// poolArguments fixes the EPP's arguments.
func (r *rewirer) poolArguments(item *krm.Object) {
	containers := krm.Field(item.Node, "spec", "template", "spec", "containers")
	if containers == nil {
		return
	}
	for _, container := range containers.Content {
		args := krm.Field(container, "args")
		if args == nil {
			continue
		}
		name, namespace := argument(args, poolName), argument(args, poolNamespace)
		if name == nil {
			continue
		}
		r.poolArgument(item, name, namespace)
	}
}

// poolArgument fixes the pair of arguments. Without a literal namespace the EPP looks
// in its own.
func (r *rewirer) poolArgument(item *krm.Object, name, namespace *yaml.Node) {
	pool := id{"InferencePool", "", strings.TrimPrefix(name.Value, poolName)}
	literal := namespace != nil && !strings.Contains(namespace.Value, "$(")
	if literal {
		pool.namespace = strings.TrimPrefix(namespace.Value, poolNamespace)
	}
	candidates := []id{pool}
	if !literal {
		candidates = nil
		for _, before := range append(previous(item), id{namespace: item.Namespace()}) {
			candidates = append(candidates, id{pool.kind, before.namespace, pool.name})
		}
	}
	for _, candidate := range candidates {
		if to, ok := r.find(candidate); ok {
			name.Value = poolName + to.name
			if literal {
				namespace.Value = poolNamespace + to.namespace
			}
			return
		}
		if r.moves.now[candidate] {
			return
		}
	}
	if len(previous(item)) > 0 {
		r.errorf("has moved, but its InferencePool %s is not in this build; rename both or neither", strings.TrimPrefix(pool.namespace+"/"+pool.name, "/"))
	}
}

// argument returns the argument that begins so.
func argument(args *yaml.Node, prefix string) *yaml.Node {
	return lists.First(args.Content, func(arg *yaml.Node) bool { return strings.HasPrefix(arg.Value, prefix) })
}
