package generators

import (
	"slices"
	"strings"

	"github.com/inferstack/inferstack/generators/base"
	"github.com/inferstack/inferstack/schema"
)

// conflicts finds what two stacks cannot both have. Each stack is told, in each respect,
// of the first other that it cannot live with. Only stacks that have something in common
// are compared, so that the time grows with their number and not with its square.
func conflicts(stacks []*base.Stack) (problems []Conflict) {
	names := map[[2]string]*base.Stack{}
	var distinct []*base.Stack
	for _, s := range stacks {
		name := [2]string{s.Namespace(), s.Metadata.Name}
		if first, taken := names[name]; taken { // everything else they share follows from the name
			problems = append(problems, conflict(s.Stack, "metadata.name",
				"%s has the same name; a name is taken once in a namespace", where(first.Stack)))
			continue
		}
		names[name] = s
		distinct = append(distinct, s)
	}
	servers, routes, gateways := indexServers(distinct), routeIndex{}, indexGateways(distinct)
	for _, s := range distinct {
		problems = append(problems, gateways.closedTo(s)...)
		problems = append(problems, servers.sharedWith(s)...)
		problems = append(problems, routes.add(s)...)
	}
	return problems
}

// A serverIndex finds the servers that have a label.
type serverIndex map[podLabel][]serverPods

type podLabel struct{ namespace, key, value string }

// serverPods are the pods of a role of a stack.
type serverPods struct {
	stack  *base.Stack
	role   string
	labels map[string]string
}

func indexServers(stacks []*base.Stack) serverIndex {
	index := serverIndex{}
	for _, s := range stacks {
		for _, server := range s.Servers() {
			pods := serverPods{s, server.Role, server.PodLabels()}
			for key, value := range pods.labels {
				at := podLabel{s.Namespace(), key, value}
				index[at] = append(index[at], pods)
			}
		}
	}
	return index
}

// sharedWith reports a pool that would send requests to another stack's servers. A stack without
// an EPP has none, and its selector labels servers for the pool of another.
func (index serverIndex) sharedWith(s *base.Stack) []Conflict {
	if !s.Spec.Scheduler.Enabled {
		return nil
	}
	selector := s.PoolSelector()
	for _, pods := range index.fewest(s.Namespace(), selector) {
		if pods.stack == s || !schema.Selects(selector, pods.labels) {
			continue
		}
		if theirs := pods.stack.Spec.Model.Served(); furtherServers(s, pods.stack) {
			if !sameNames(theirs, s.Spec.Model.Served()) {
				return []Conflict{conflict(s.Stack, "spec.pool.selector",
					"selects the %s servers of %s too, which serve %s, and those of this stack %s: a request for a name would fail on the others; give both the same model.servedNames, or name a label that only this stack's servers have",
					pods.role, where(pods.stack.Stack), strings.Join(theirs, ", "), strings.Join(s.Spec.Model.Served(), ", "))}
			}
		} else {
			return []Conflict{conflict(s.Stack, "spec.pool.selector",
				"selects the %s servers of %s too; name a label that only this stack's servers have",
				pods.role, where(pods.stack.Stack))}
		}
	}
	return nil
}

// furtherServers reports whether another stack is but more servers for a pool: it has no EPP,
// and the pool's selector was written to hold them as well.
func furtherServers(pool, other *base.Stack) bool {
	return !other.Spec.Scheduler.Enabled && len(pool.Spec.Pool.Selector) > 0
}

// sameNames compares names by which models are served, in any order.
func sameNames(a, b []string) bool {
	return slices.Equal(slices.Compact(slices.Sorted(slices.Values(a))), slices.Compact(slices.Sorted(slices.Values(b))))
}

// fewest returns the servers with that one of the labels which the fewest have.
func (index serverIndex) fewest(namespace string, labels map[string]string) (least []serverPods) {
	first := true
	for key, value := range labels {
		if found := index[podLabel{namespace, key, value}]; first || len(found) < len(least) {
			least, first = found, false
		}
	}
	return least
}

// A routeIndex finds the fronts whose routes claim the same requests of a gateway.
type routeIndex map[claim][]base.Front

type claim struct{ gatewayNamespace, gateway, host, match string }

// args.Add reports a route that claims what another route of the gateway claims already: the
// Gateway API gives the requests to the older route, so that one model is never reached.
// Two stacks that both make the gateway are reported as such.
func (index routeIndex) add(s *base.Stack) []Conflict {
	fronts := slices.DeleteFunc(s.Fronts(), func(f base.Front) bool { return !f.HasRoute() })
	problem := index.refuse(fronts)
	for _, f := range fronts {
		for _, c := range claims(f) {
			index[c] = append(index[c], f)
		}
	}
	return problem
}

func (index routeIndex) refuse(fronts []base.Front) []Conflict {
	for _, f := range fronts {
		for _, c := range claims(f) {
			if other := index.rival(c, f); other != nil {
				return []Conflict{conflict(f.Stack.Stack, "spec.route",
					"claims the same host and path of Gateway %q as %s; set route.hostnames or route.matches to tell the two models apart",
					f.GatewayName(), where(other.Stack.Stack))}
			}
		}
	}
	return nil
}

// rival is the first front with the same claim, unless the routes say that they attach to
// different listeners.
func (index routeIndex) rival(c claim, f base.Front) *base.Front {
	section := f.Spec.Route.SectionName
	for _, other := range index[c] {
		theirs := other.Spec.Route.SectionName
		if (f.Gateway.Existing || other.Gateway.Existing) && (section == theirs || section == "" || theirs == "") {
			return &other
		}
	}
	return nil
}

// claims are the requests that the front's route asks its gateway for. A route without a
// host is only held against others without.
func claims(f base.Front) (out []claim) {
	for _, rule := range f.RouteRules() {
		hosts := rule.Hostnames
		if len(hosts) == 0 {
			hosts = []string{""}
		}
		for _, host := range hosts {
			for _, match := range schema.MatchTexts(rule.Matches) {
				out = append(out, claim{f.GatewayNamespace(), f.GatewayName(), host, match})
			}
		}
	}
	return out
}
