package wiring

import (
	"slices"
	"strings"
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
	for _, known := range roles {
		if strings.HasPrefix(strings.ToLower(role), known) {
			return known
		}
	}
	return ""
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
