package generators

import (
	"encoding/json"
	"maps"
	"slices"

	gwapiv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/inferstack/inferstack/schema"
)

// conflicts finds what two stacks cannot both have.
func conflicts(stacks []*Stack) []Conflict {
	var problems []Conflict
	for i, b := range stacks {
		for _, a := range stacks[:i] {
			if p := sameName(a, b); p != nil {
				problems = append(problems, *p)
				continue // everything else they share follows from the name
			}
			problems = append(problems, sharedPods(a, b)...)
			problems = append(problems, sharedRoute(a, b)...)
		}
	}
	return problems
}

func sameName(a, b *Stack) *Conflict {
	if a.Metadata.Name != b.Metadata.Name || a.namespace() != b.namespace() {
		return nil
	}
	p := conflict(b.Stack, "metadata.name", "%s has the same name; a name is taken once in a namespace", where(a.Stack))
	return &p
}

// sharedPods reports a pool that would send requests to the other stack's servers.
func sharedPods(a, b *Stack) []Conflict {
	if a.namespace() != b.namespace() {
		return nil
	}
	var problems []Conflict
	for _, pair := range [][2]*Stack{{a, b}, {b, a}} {
		pool, other := pair[0], pair[1]
		for _, role := range other.roles() {
			if contains(other.serverLabels(role), pool.poolSelector()) {
				problems = append(problems, conflict(pool.Stack, "spec.pool.selector",
					"selects the %s servers of %s too; name a label that only this stack's servers have",
					role, where(other.Stack)))
				break
			}
		}
	}
	return problems
}

// contains says whether all of the selector is among the labels.
func contains(labels, selector map[string]string) bool {
	for k, v := range selector {
		if labels[k] != v {
			return false
		}
	}
	return true
}

// sharedRoute reports two routes of one gateway that claim the same requests: the
// Gateway API gives them to the older route, so that one model is never reached. Two
// stacks that both make the gateway are reported as such.
func sharedRoute(a, b *Stack) []Conflict {
	for _, fa := range a.fronts() {
		for _, fb := range b.fronts() {
			if !fa.hasRoute() || !fb.hasRoute() || !fa.gw.Existing && !fb.gw.Existing ||
				fa.gatewayName() != fb.gatewayName() || fa.gatewayNamespace() != fb.gatewayNamespace() {
				continue
			}
			if sameRequests(a.Spec.Route, b.Spec.Route) {
				return []Conflict{conflict(b.Stack, "spec.route",
					"claims the same host and path of Gateway %q as %s; set route.hostnames or route.matches to tell the two models apart",
					fb.gatewayName(), where(a.Stack))}
			}
		}
	}
	return nil
}

// sameRequests says whether two routes have a match in common.
func sameRequests(a, b schema.Route) bool {
	if a.SectionName != "" && b.SectionName != "" && a.SectionName != b.SectionName {
		return false
	}
	if len(a.Hostnames)+len(b.Hostnames) > 0 && !intersect(a.Hostnames, b.Hostnames) {
		return false
	}
	return intersect(matchTexts(a.Matches), matchTexts(b.Matches))
}

func intersect(a, b []string) bool {
	return slices.ContainsFunc(a, func(s string) bool { return slices.Contains(b, s) })
}

// matchTexts makes matches comparable: defaults filled in, one text each.
func matchTexts(matches []gwapiv1.HTTPRouteMatch) []string {
	if len(matches) == 0 {
		matches = []gwapiv1.HTTPRouteMatch{{}}
	}
	texts := map[string]bool{}
	for _, m := range matches {
		path := gwapiv1.HTTPPathMatch{Type: new(gwapiv1.PathMatchPathPrefix), Value: new("/")}
		if m.Path != nil && m.Path.Type != nil {
			path.Type = m.Path.Type
		}
		if m.Path != nil && m.Path.Value != nil {
			path.Value = m.Path.Value
		}
		m.Path = &path
		text, _ := json.Marshal(m) // plain data
		texts[string(text)] = true
	}
	return slices.Sorted(maps.Keys(texts))
}
