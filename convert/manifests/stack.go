package manifests

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/convert/pods"
	"github.com/inferstack/inferstack/diff"
	"github.com/inferstack/inferstack/generators"
	"github.com/inferstack/inferstack/internal/lists"
	"github.com/inferstack/inferstack/release"
	"github.com/inferstack/inferstack/schema"
	"github.com/inferstack/inferstack/schema/document"
	"github.com/inferstack/inferstack/schema/rules"
	"github.com/inferstack/inferstack/wiring"
)

// stack finds the stack of a group.
func (g *group) stack(opt Options) (*Stack, schema.Problems) {
	s := g.sources(opt)
	t := newTrial(s.wanted, s.start())
	for _, p := range s.starts() {
		t.propose(p...)
	}
	if t.best == hopeless {
		return nil, s.refused()
	}
	if opt.Adopt {
		s.adopted(t)
	}
	if len(s.routes()) > 0 {
		t.routed = true
		t.insist(s.fronts()...)
	}
	s.propose(t)
	t.prefer(s.rdma(t.stack)...)
	s.patch(t, opt)
	s.propose(t) // ports of a pool fit only when the pods listen on them
	t.prune()
	t.lift()
	t.repair()
	if flaws := t.flaws(t.stack); len(flaws) > 0 {
		return nil, g.flawed(flaws)
	}
	return g.finished(t, s)
}

// propose proposes all fields until none brings the stack nearer.
func (s *sources) propose(t *trial) {
	for range 3 {
		before := t.best
		for _, all := range s.proposals(t) {
			t.propose(all...)
		}
		if t.best == before || t.best == 0 {
			return
		}
	}
}

// flawed is why what was found would be refused.
func (g *group) flawed(flaws []generators.Conflict) (out schema.Problems) {
	for _, f := range flaws {
		out = append(out, g.pool.Problem(schema.Error, "metadata.name", "no stack found for %s: the nearest one would be refused: %s: %s", named(g.pool.what), f.Path, f.Message))
	}
	return out
}

// refused is why the least that a stack could say is none.
func (s *sources) refused() schema.Problems {
	pool := s.g.pool
	if len(s.models()) == 0 {
		return schema.Problems{pool.Problem(schema.Error, "metadata.name", "no stack found for %s: what its servers load could not be read; name the model with --served-model-name on their command line", named(pool.what))}
	}
	_, problems := rules.Parse(node(s.start()), schema.Source{})
	out := schema.Problems{}
	for _, p := range problems.Errors() {
		out = append(out, pool.Problem(schema.Error, "metadata.name", "no stack found for %s: %s: %s", named(pool.what), p.Path, p.Message))
	}
	if len(out) == 0 {
		out = append(out, pool.Problem(schema.Error, "metadata.name", "no stack found for %s: its objects have names that those of a stack cannot have together", named(pool.what)))
	}
	return out
}

// finished is the stack as it is written, and what it leaves different.
func (g *group) finished(t *trial, s *sources) (*Stack, schema.Problems) {
	n := &yaml.Node{}
	if err := n.Encode(t.stack); err != nil {
		return nil, schema.Problems{g.pool.Problem(schema.Error, "", "%v", err)}
	}
	document.Minimal(n)
	commented(n)
	made := generate(t.stack)
	kept := g.kept(made)
	before := slices.DeleteFunc(g.assembled(s.before()), func(o object) bool { return slices.Contains(kept, named(o)) })
	return &Stack{n, g.pool.Document, diff.Compare(asObjects(before), asObjects(made)), kept}, slices.Concat(g.said(), s.said(), s.unkept(t), s.guessed(t.stack), s.unmanaged(), s.replaced(t, made), g.unwired(made, s.others(t, made)))
}

// said are the names that a stack does not keep.
func (s *sources) said() (out schema.Problems) {
	for _, name := range slices.Compact(s.renamed) {
		out = append(out, s.g.pool.Problem(schema.Info, "", "the container %s of the servers is called %s in a stack: kubectl logs and exec -c need that name", name, pods.ModelServer))
	}
	return out
}

func asObjects(from []object) []diff.Object {
	out := make([]diff.Object, 0, len(from))
	for _, o := range from {
		out = append(out, o)
	}
	return out
}

func named(o object) string { return text(o, "kind") + " " + text(o, "metadata", "name") }

// kept are the members that objects of the stack refer to, and that it does not make.
func (g *group) kept(made []object) []string {
	var all []*wiring.Object
	have := map[string]bool{}
	add := func(o object) {
		n := &yaml.Node{}
		if n.Encode(o) == nil {
			all = append(all, wiring.Of(n)...)
		}
	}
	for _, o := range made {
		have[named(o)] = true
		add(o)
	}
	rest := map[wiring.Ref]string{}
	for _, o := range g.objects() {
		if !have[named(o)] {
			first := len(all)
			add(o)
			for _, other := range all[first:] {
				rest[other.Ref] = named(o)
			}
		}
	}
	var out []string
	for _, e := range wiring.Graph(all).Edges {
		if to, ok := rest[e.To]; ok && rest[e.From] == "" && prerequisite(e.To.Kind) && !slices.Contains(out, to) {
			out = append(out, to)
		}
	}
	return out
}

// prerequisite reports whether a stack may refer to an object of a kind that something else makes.
func prerequisite(kind string) bool {
	return slices.Contains([]string{"ConfigMap", "Secret", "PersistentVolumeClaim", "ServiceAccount", "Gateway", "GatewayClass", "ResourceClaimTemplate", "ResourceClaim", "PriorityClass"}, kind)
}

func (g *group) objects() []object {
	return g.assembled(lists.Map(g.members, func(m member) object { return m.what }))
}

// assembled has the workloads of the group's DisaggregatedSet in it again.
func (g *group) assembled(objects []object) []object {
	if set := g.set(); set != nil {
		return set.assembled(objects)
	}
	return objects
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

// start is the least that a stack says: what its objects are called, and how many servers
// there are.
func (s *sources) start() object {
	meta := object{"name": s.names()[0]}
	if ns := s.g.namespace(); ns != "" {
		meta["namespace"] = ns
	}
	spec := object{
		"model":     object{"name": cmp.Or(first(s.models()), "?")},
		"pool":      object{"name": s.g.pool.ref.Name},
		"scheduler": object{"name": s.epp.ref.Name},
	}
	if s.g.poolless {
		delete(spec, "pool")
		spec["scheduler"] = object{"enabled": false}
	}
	if len(s.roles) == 0 {
		spec["server"] = object{"create": false}
		spec["pool"] = object{"name": s.g.pool.ref.Name, "selector": at(s.g.pool.what, "spec", "selector", "matchLabels")}
	}
	set := s.g.set()
	if set != nil {
		spec["disaggregatedSet"] = set.section()
	}
	for _, r := range s.roles {
		role := object{"name": cmp.Or(r.variant, text(r.what, "metadata", "name"))}
		if set != nil {
			delete(role, "name")
		}
		if n := at(r.what, "spec", "replicas"); n != nil {
			role["replicas"] = n
		}
		section, _, several := strings.Cut(r.name, ".")
		if !several {
			spec[section] = role
			continue
		}
		spec[section] = object{"variants": append(list(at(spec, section, "variants")), role)}
	}
	return object{"apiVersion": schema.APIVersion, "kind": schema.Kind, "metadata": meta, "spec": spec}
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
	if s.g.poolless {
		return append(out, s.g.serversName())
	}
	return append(out, s.g.pool.ref.Name, strings.TrimSuffix(s.epp.ref.Name, "-epp"))
}

// engines are what a stack calls the engines that the graph knows.
var engines = map[string]string{"SGLang": "sglang", "TensorRT-LLM": "trtllm", "simulator": "simulator"}

// starts are the choices that most of the others depend on, one after another.
func (s *sources) starts() [][]proposal {
	lines := lists.Map(release.Names(), func(line string) proposal { return proposal{"spec.release": line} })
	if len(s.roles) == 0 {
		return [][]proposal{lines}
	}
	var servers []proposal
	for _, engine := range []any{nil, engines[s.roles[0].engine]} {
		if engine == "" {
			continue
		}
		p := proposal{"spec.server.engine": engine}
		ranked := maps.Clone(p)
		maps.Copy(ranked, s.ranks())
		servers = append(servers, p, ranked)
	}
	return [][]proposal{append(servers, s.read()...), lines}
}
