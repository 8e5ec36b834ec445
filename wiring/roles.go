package wiring

import (
	"maps"
	"slices"
	"strings"

	"github.com/inferstack/inferstack/internal/lists"
)

// roles are the values of the label that the filters for encode, prefill and decode take
// (llm-d-router v0.10 pkg/epp/framework/plugins/scheduling/filter; both is that of 0.4).
var roles = []string{"encode-prefill-decode", "encode-prefill", "prefill-decode", "encode", "prefill", "decode", "both"}

func findUnknownRoles(g *G, r *report) {
	seen, own := map[*Pods]bool{}, map[string]bool{}
	picked := func(role string) bool {
		if _, known := own[role]; !known {
			own[role] = g.picksBy(role)
		}
		return own[role]
	}
	judge := func(servers []*Pods) {
		for _, p := range servers {
			role := p.labels[roleLabel]
			if seen[p] || p.server() == nil || role == "" || slices.Contains(roles, role) || templated(role) || picked(role) {
				continue
			}
			seen[p] = true
			found := r.add(p.place(p.template.at("metadata", "labels", roleLabel)), Ref{}, "no filter takes servers whose %s is %s", roleLabel, role)
			if near := nearRole(role); near != "" {
				found.fix("did you mean %s?", near)
			} else {
				found.fix("use one of %s", list(roles))
			}
		}
	}
	for _, pool := range g.Kinds("InferencePool") {
		judge(g.selected(pool, poolSelector(pool)))
	}
	for _, e := range g.epps {
		judge(g.servers(e))
	}
}

// nearRole is the role that was most likely meant: prefill by prefiller too.
func nearRole(role string) string {
	if near := Near(role, roles); near != "" {
		return near
	}
	return lists.First(roles, func(known string) bool { return strings.HasPrefix(strings.ToLower(role), known) })
}

// picksBy reports whether the configuration of an endpoint picker has the value, as in a filter
// of one's own by the label.
func (g *G) picksBy(value string) bool {
	return slices.ContainsFunc(g.epps, func(e *epp) bool { return holds(e.config.decoded(), value) })
}

// holds reports whether a value is somewhere in what was decoded.
func holds(in any, value string) bool {
	switch in := in.(type) {
	case string:
		return in == value
	case []any:
		return slices.ContainsFunc(in, func(one any) bool { return holds(one, value) })
	case map[string]any:
		for _, one := range in {
			if holds(one, value) {
				return true
			}
		}
	}
	return false
}

// pooled reports whether a pool takes the pods.
func (g *G) pooled(p *Pods) bool {
	return slices.ContainsFunc(g.Kinds("InferencePool"), func(pool *Object) bool {
		return slices.Contains(g.selected(pool, poolSelector(pool)), p)
	})
}

// missedBy are servers of a role that no pool takes, of which one of two things keeps them out of this
// pool: their namespace, or one label.
func (g *G) missedBy(pool *Object, has func(*Pods) bool) (missed *Pods, why string) {
	if pool == nil {
		return nil, ""
	}
	wanted := poolSelector(pool).texts()
	for _, p := range g.Pods {
		if p.server() == nil || p.labels[roleLabel] == "" || !has(p) || g.pooled(p) {
			continue
		}
		lacking := lists.Where(slices.Sorted(maps.Keys(wanted)), func(key string) bool { return p.labels[key] != wanted[key] })
		switch {
		case p.Namespace != pool.Namespace && len(lacking) == 0:
			return p, "they are in the namespace " + p.Namespace + ", and the pool in " + pool.Namespace
		case p.Namespace == pool.Namespace && len(lacking) == 1 && p.labels[lacking[0]] == "":
			return p, "it selects " + lacking[0] + "=" + wanted[lacking[0]] + ", which they lack"
		case p.Namespace == pool.Namespace && len(lacking) == 1:
			return p, "it selects " + lacking[0] + "=" + wanted[lacking[0]] + ", and they have " + p.labels[lacking[0]]
		}
	}
	return nil, ""
}
