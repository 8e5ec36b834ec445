package manifests

import (
	"cmp"
	"maps"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/diff"
	"github.com/inferstack/inferstack/release"
	"github.com/inferstack/inferstack/schema"
)

// stack finds the stack of a group.
func (g *group) stack(opt Options) (*Stack, schema.Problems) {
	s := g.sources()
	t := newTrial(s.goal, s.start())
	for _, p := range s.starts() {
		t.propose(p...)
	}
	if t.best == hopeless {
		return nil, schema.Problems{g.pool.Problem(schema.Error, "metadata.name", "no stack found for InferencePool %s: what its servers load could not be read; name the model with --served-model-name on their command line", g.pool.ref.Name)}
	}
	for range 3 {
		before := t.best
		for _, all := range s.proposals(t) {
			t.propose(all...)
		}
		if t.best == before || t.best == 0 {
			break
		}
	}
	s.patch(t, opt)
	t.prune()
	return g.finished(t)
}

// finished is the stack as it is written, and what it leaves different.
func (g *group) finished(t *trial) (*Stack, schema.Problems) {
	n := &yaml.Node{}
	if err := n.Encode(t.stack); err != nil {
		return nil, schema.Problems{g.pool.Problem(schema.Error, "", "%v", err)}
	}
	schema.Minimal(n)
	commented(n)
	objects := func(from []object) []diff.Object {
		out := make([]diff.Object, 0, len(from))
		for _, o := range from {
			out = append(out, o)
		}
		return out
	}
	return &Stack{n, g.pool.Document, diff.Compare(objects(g.objects()), objects(render(t.stack)))}, nil
}

func (g *group) objects() []object {
	var out []object
	for _, m := range g.members {
		out = append(out, m.what)
	}
	return out
}

// commented explains the patches of a stack.
func commented(n *yaml.Node) {
	for i, e := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 0 && e.Value == "podTemplatePatch" {
			e.HeadComment = "# What the pods have and a stack has no field for."
		}
		commented(e)
	}
}

// start is the least that a stack says.
func (s *sources) start() object {
	meta := object{"name": s.names()[0]}
	if ns := s.g.pool.ref.Namespace; ns != "" {
		meta["namespace"] = ns
	}
	return object{"apiVersion": schema.APIVersion, "kind": schema.Kind, "metadata": meta, "spec": object{"model": object{"name": cmp.Or(first(s.models()), "?")}}}
}

func first(all []string) string {
	if len(all) == 0 {
		return ""
	}
	return all[0]
}

// names are those that the stack could have.
func (s *sources) names() []string {
	out := []string{}
	if label := s.g.instance(); label != "" {
		out = append(out, label)
	}
	return append(out, s.g.pool.ref.Name, strings.TrimSuffix(s.epp.ref.Name, "-epp"))
}

// starts are the choices that most of the others depend on, one after another.
func (s *sources) starts() [][]proposal {
	var servers, lines []proposal
	for _, engine := range []any{nil, "simulator", "sglang", "trtllm"} {
		for _, prefill := range []any{nil, object{}} {
			p := proposal{"spec.server.engine": engine, "spec.prefill": prefill}
			ranked := maps.Clone(p)
			maps.Copy(ranked, s.ranks())
			servers = append(servers, p, ranked)
		}
	}
	if len(s.roles) == 0 {
		servers = []proposal{{"spec.server.create": false}}
	}
	for _, line := range release.Names() {
		lines = append(lines, proposal{"spec.release": line})
	}
	return [][]proposal{servers, lines}
}
