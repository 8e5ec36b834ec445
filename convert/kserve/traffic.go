package kserve

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/inferstack/inferstack/schema/document"
)

// A sharer is a service that shares the requests of a model with others of its traffic group.
type sharer struct {
	name, model string
	weight      int32
	pooled      bool // its EPP picks the servers
}

const groupFrom = "spec.router.route.group"

// groupOf is the traffic group of a service, with its namespace; "" where it is in none.
func groupOf(doc document.Document) string {
	if n := doc.At(groupFrom); n != nil && n.Value != "" {
		return doc.Namespace + "/" + n.Value
	}
	return ""
}

// inGroup are the services of a traffic group.
func inGroup(docs []document.Document, group string) (out []document.Document) {
	for _, doc := range docs {
		if doc.Kind == Kind && groupOf(doc) == group {
			out = append(out, doc)
		}
	}
	return out
}

// sharersOf are the services of each traffic group by name, in which order KServe's controller has them as
// backends (kserve pkg/controller/v1alpha2/llmisvc/router_group.go, v0.20.0).
func sharersOf(services []document.Document) map[string][]sharer {
	out := map[string][]sharer{}
	for _, doc := range services {
		group := groupOf(doc)
		if group == "" {
			continue
		}
		one := sharer{name: doc.Name, model: doc.Name, weight: 1, pooled: doc.Has("spec.router.scheduler")}
		if n := doc.At("spec.model.name"); n != nil && n.Value != "" {
			one.model = n.Value
		}
		if n := doc.At("spec.router.route.weight"); n != nil {
			if weight, err := strconv.ParseInt(n.Value, 10, 32); err == nil {
				one.weight = int32(weight)
			}
		}
		out[group] = append(out[group], one)
	}
	for _, all := range out {
		slices.SortFunc(all, func(a, b sharer) int { return cmp.Compare(a.name, b.name) })
	}
	return out
}

// sharers are those of the service's traffic group; none where it has none, or the others are not
// known.
func (s *service) sharers() []sharer {
	all := s.in.sharers[groupOf(s.Doc)]
	if len(all) < 2 {
		return nil
	}
	return all
}

// grouped says what becomes of a share of the traffic.
func (s *service) grouped(r *Route) {
	if r.Group == nil && r.Weight == nil {
		return
	}
	from, all := s.at(groupFrom), s.sharers()
	switch other := slices.IndexFunc(all, func(o sharer) bool { return o.model != all[0].model }); {
	case len(all) == 0:
		s.Lost(from, "a share of the traffic between services of a group; put the other services of the group into the same input, or name their pools in route.split of an InferenceStack")
	case r.HTTP != nil && r.HTTP.Spec != nil && !s.shippedRules(r.HTTP.Spec.Rules):
		s.Lost(from, "a share of the traffic in rules of the service's own; write the pools of the group as their backends")
	case other > 0:
		s.Lost(from, "a share of the traffic between services of two models, %s and %s, which the controller tells apart", all[0].model, all[other].model)
	case all[0].name == s.Doc.Name:
		s.On("spec.route", from).Note("the requests for the model go to all services of the group by their weights; its route says so once, and the routes of the others have their own paths")
	default:
		s.On("spec.route", from).Note("the route of %s shares the requests for the model among the services of the group", all[0].name)
	}
}

// sharedBackends are those of the rules that the services of a group share.
func (s *service) sharedBackends() (out []any) {
	for _, one := range s.sharers() {
		backend := map[string]any{"weight": one.weight}
		if one.name != s.Doc.Name {
			backend["name"] = childName(one.name, "-inference-pool")
		}
		if !one.pooled {
			backend["kind"] = "Service"
			if one.name != s.Doc.Name {
				backend["name"], backend["port"] = childName(one.name, "-kserve-workload-svc"), 8000
			}
		}
		out = append(out, backend)
	}
	return out
}
