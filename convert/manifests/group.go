package manifests

import (
	"slices"

	"github.com/inferstack/inferstack/convert/draft"
	"github.com/inferstack/inferstack/internal/lists"
	"github.com/inferstack/inferstack/schema"
	"github.com/inferstack/inferstack/wiring"
)

const instanceLabel = "app.kubernetes.io/instance"

// A group is an InferencePool and what belongs to it.
type group struct {
	in      *input
	pool    member // without a pool, the decode servers
	members []member
	refs    map[wiring.Ref]bool
	// poolless says that no pool is given.
	poolless bool
}

func (g *group) has(ref wiring.Ref) bool { return g.refs[ref] }

// groups are one for each pool, in the order of the input. What several pools could have
// belongs to the one whose instance label it shares, or else to the first.
func (in *input) groups() (out []*group) {
	taken := map[wiring.Ref]bool{}
	for _, d := range in.docs {
		if d.ref.Kind == "InferencePool" {
			g := &group{in: in, pool: d, refs: map[wiring.Ref]bool{}}
			out = append(out, g)
		}
	}
	if len(out) == 0 {
		out = in.poolless()
	}
	for _, g := range out {
		if g.poolless {
			continue
		}
		g.walk(g.pool.ref, func(ref wiring.Ref) bool { return in.claimed(ref, g, out) })
	}
	for _, g := range out {
		for _, d := range in.docs {
			if g.refs[d.ref] && !taken[d.ref] {
				g.members = append(g.members, d)
				taken[d.ref] = true
			}
		}
		g.settle()
	}
	return out
}

// settle puts the members that name no namespace into that of the group, where kubectl apply -n
// or helm install puts them.
func (g *group) settle() {
	ns := g.namespace()
	for _, m := range g.members {
		if meta := mapping(m.what["metadata"]); ns != "" && meta != nil && text(meta, "namespace") == "" && !draft.ClusterScoped(m.ref.Kind) {
			meta["namespace"] = ns
		}
	}
}

// claimed reports whether an object carries the instance label of another pool.
func (in *input) claimed(ref wiring.Ref, by *group, all []*group) bool {
	label := in.instance(ref)
	return label != "" && label != by.instance() && slices.ContainsFunc(all, func(g *group) bool { return g.instance() == label })
}

func (g *group) instance() string { return g.in.instance(g.pool.ref) }

// namespace is that of the pool, or else the first that a member names.
func (g *group) namespace() string {
	return lists.First(append([]member{g.pool}, g.members...), func(m member) bool { return m.ref.Namespace != "" }).ref.Namespace
}

func (in *input) instance(ref wiring.Ref) string {
	of := lists.First(in.docs, func(m member) bool { return m.ref == ref })
	return text(of.what, "metadata", "labels", instanceLabel)
}

// leaves are kinds that several systems may share: what else refers to them does not
// belong together.
var leaves = []string{"ConfigMap", "Secret", "PersistentVolumeClaim", "Namespace", "HTTPRoute", "ClusterRole"}

// followed reports whether to go from an object to the one that refers to it.
func followed(to, from string) bool {
	switch to {
	case "Gateway", "GatewayClass":
		return from != "HTTPRoute" && from != "EnvoyFilter"
	case "ServiceAccount":
		return from == "RoleBinding" || from == "ClusterRoleBinding"
	}
	return !slices.Contains(leaves, to)
}

// walk takes what can be reached from an object, except other pools and theirs.
func (g *group) walk(from wiring.Ref, foreign func(wiring.Ref) bool) {
	g.refs[from] = true
	next := func(ref wiring.Ref) {
		if !g.refs[ref] && ref.Kind != "InferencePool" && !foreign(ref) && g.in.graph.Object(ref) != nil {
			g.walk(ref, foreign)
		}
	}
	for _, e := range g.in.graph.Edges {
		switch {
		case e.From == from:
			next(e.To)
		case e.To == from && followed(from.Kind, e.From.Kind):
			next(e.From)
		}
	}
	if label := g.instance(); from == g.pool.ref && label != "" {
		for _, d := range g.in.docs {
			if text(d.what, "metadata", "labels", instanceLabel) == label {
				next(d.ref)
			}
		}
	}
}

// of are the members of a kind.
func (g *group) of(kinds ...string) []member {
	return lists.Where(g.members, func(m member) bool { return slices.Contains(kinds, m.ref.Kind) })
}

// workloads are the members with pods for which is holds.
func (g *group) workloads(is func(wiring.Traits) bool) []member {
	return lists.Where(g.members, func(m member) bool {
		o := g.in.graph.Object(m.ref)
		return o != nil && len(templates(m.what)) > 0 && is(g.in.graph.Traits(o))
	})
}

func picks(t wiring.Traits) bool    { return t.Picker }
func prefills(t wiring.Traits) bool { return t.Server && t.Prefills && !t.Decodes }
func encodes(t wiring.Traits) bool  { return t.Server && t.Encodes && !t.Prefills && !t.Decodes }
func decodes(t wiring.Traits) bool  { return t.Server && !prefills(t) && !encodes(t) }

// problems are what keeps a group from being a stack.
func (g *group) problems() (out schema.Problems) {
	fail := func(format string, args ...any) {
		out = append(out, g.pool.Problem(schema.Error, "metadata.name", format, args...))
	}
	switch epps := g.workloads(picks); {
	case len(epps) == 0 && g.poolless:
	case len(epps) == 0:
		fail("no EPP found for InferencePool %s: give the Deployment behind its endpointPickerRef as well", g.pool.ref.Name)
	case len(epps) > 1:
		fail("InferencePool %s has %d EPPs, %s and %s; a stack has one", g.pool.ref.Name, len(epps), epps[0].ref.Name, epps[1].ref.Name)
	}
	for _, role := range []struct {
		name string
		is   func(wiring.Traits) bool
	}{{"decode", decodes}, {"prefill", prefills}, {"encode", encodes}} {
		out = append(out, g.likeServers(role.name, g.workloads(role.is))...)
	}
	return out
}

// likeServers refuses sets of servers of one role that are no variants of it.
func (g *group) likeServers(role string, found []member) schema.Problems {
	names := map[string]string{}
	for _, m := range found {
		name := variantName(role, m, len(found))
		first, engine := found[0], g.in.graph.Traits(g.in.graph.Object(m.ref)).Engine
		switch other := names[name]; {
		case engine != g.in.graph.Traits(g.in.graph.Object(first.ref)).Engine:
			return schema.Problems{g.pool.Problem(schema.Error, "metadata.name", "%s has %s servers of two engines, %s and %s; a stack has one", named(g.pool.what), role, first.ref.Name, m.ref.Name)}
		case other != "":
			return schema.Problems{g.pool.Problem(schema.Error, "metadata.name", "%s has two sets of %s servers, %s and %s, that the label %s calls %q", named(g.pool.what), role, other, m.ref.Name, schema.VariantLabel, name)}
		}
		names[name] = m.ref.Name
	}
	return nil
}
