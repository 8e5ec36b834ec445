package manifests

import (
	"maps"
	"slices"
	"strings"

	"github.com/inferstack/inferstack/schema"
	"github.com/inferstack/inferstack/wiring"
)

// poolless are the groups of objects without an InferencePool, as a guide's servers are whose
// pool and EPP a chart makes: one for each set of decode servers, with the prefill and encode
// servers that have the same labels.
func (in *input) poolless() (out []*group) {
	var decoding, helping []member
	for _, d := range in.docs {
		o := in.graph.Object(d.ref)
		if o == nil || len(templates(d.what)) == 0 {
			continue
		}
		switch t := in.graph.Traits(o); {
		case picks(t):
			return nil // whose pool is missing
		case decodes(t):
			decoding = append(decoding, d)
		case prefills(t), encodes(t):
			helping = append(helping, d)
		}
	}
	for _, d := range decoding {
		g := &group{in: in, poolless: true, pool: d, refs: map[wiring.Ref]bool{}}
		g.walk(d.ref, func(ref wiring.Ref) bool { return len(decoding) > 1 && contains(decoding, ref) })
		for _, p := range helping {
			if len(decoding) == 1 || maps.Equal(alike(d), alike(p)) {
				g.walk(p.ref, func(ref wiring.Ref) bool { return contains(decoding, ref) })
			}
		}
		out = append(out, g)
	}
	return out
}

func contains(all []member, ref wiring.Ref) bool {
	return slices.ContainsFunc(all, func(m member) bool { return m.ref == ref })
}

// alike are the labels of a workload's pods, without those that say a role.
func alike(m member) map[string]string {
	out := map[string]string{}
	for key := range mapping(at(templates(m.what)[0], "metadata", "labels")) {
		if value := text(templates(m.what)[0], "metadata", "labels", key); key != "llm-d.ai/role" && !slices.Contains(roleSections, value) {
			out[key] = value
		}
	}
	return out
}

// said is that a stack has servers alone.
func (g *group) said() schema.Problems {
	if !g.poolless {
		return nil
	}
	return schema.Problems{g.pool.Problem(schema.Info, "", "no InferencePool is among the objects: the stack makes the servers alone. With pool and EPP among them, as helm template prints them, it makes these too; convert helm --pool makes a stack of their values")}
}

// ports are those that the containers of the servers list.
func (s *sources) ports() (out []any) {
	for _, r := range s.roles {
		for _, field := range []string{"initContainers", "containers"} {
			for _, c := range list(at(r.pod, "spec", field)) {
				for _, p := range list(at(c, "ports")) {
					out = append(out, at(p, "containerPort"))
				}
			}
		}
	}
	return out
}

// serversName is what a stack of servers alone is called.
func (g *group) serversName() string { return strings.TrimSuffix(g.pool.ref.Name, "-decode") }
