package manifests

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/inferstack/inferstack/generators/base"
	"github.com/inferstack/inferstack/internal/freeform"
	"github.com/inferstack/inferstack/schema"
	"github.com/inferstack/inferstack/wiring"
)

// An object that nothing refers to by its name may have any: what it scales, protects, isolates or
// watches says what it is to a stack, which calls it after that.

// scalers are the kinds that scale a workload, guards those that select pods or Services.
var (
	scalers = []string{"HorizontalPodAutoscaler", "ScaledObject"}
	guards  = []string{"PodDisruptionBudget", "NetworkPolicy", "PodMonitor", "ServiceMonitor"}
)

// wanted are the objects to come near to, with the names that a stack of some name gives them.
func (s *sources) wanted(stack string) []object {
	out := slices.Clone(s.goal)
	for i, name := range s.replacements(stack) {
		out[i] = freeform.Copy(out[i]).(object)
		set(out[i], []string{"metadata", "name"}, name)
	}
	return out
}

// replacements are the names that a stack gives members that have others, by their places.
func (s *sources) replacements(stack string) map[int]string {
	have := map[string]bool{}
	for _, m := range s.g.members {
		have[named(m.what)] = true
	}
	out := map[int]string{}
	for i, m := range s.g.members {
		name := s.called(m, stack)
		if to := m.ref.Kind + " " + name; name != "" && !have[to] {
			have[to], out[i] = true, name
		}
	}
	return out
}

// called is what a stack calls an object of this purpose, or "" when it has none.
func (s *sources) called(m member, stack string) string {
	if slices.Contains(scalers, m.ref.Kind) {
		return s.scaled(m)
	}
	if !slices.Contains(guards, m.ref.Kind) {
		return ""
	}
	servers, picker, others := s.targets(m)
	switch {
	case others || len(servers) > 0 == picker:
		return ""
	case picker && m.ref.Kind != "PodDisruptionBudget" && m.ref.Kind != "PodMonitor":
		return s.epp.ref.Name
	case picker:
		return ""
	case m.ref.Kind != "PodDisruptionBudget":
		return base.Derived(stack, "servers", base.MaxLabel)
	case len(servers) == 1:
		return servers[0]
	}
	return ""
}

// scaled is the set of servers that a scaler scales, or "".
func (s *sources) scaled(m member) string {
	for _, r := range s.roles {
		if name := text(r.what, "metadata", "name"); name == text(m.what, "spec", "scaleTargetRef", "name") {
			return name
		}
	}
	return ""
}

// targets are the sets of servers that an object selects, and whether it selects the EPP, or others.
func (s *sources) targets(m member) (servers []string, picker, others bool) {
	for _, e := range s.g.in.graph.Edges {
		if e.From != m.ref || !s.selects(m, e.To) {
			continue
		}
		i := slices.IndexFunc(s.roles, func(r role) bool {
			return named(r.what) == e.To.Kind+" "+e.To.Name
		})
		switch {
		case i >= 0:
			servers = append(servers, e.To.Name)
		case e.To == s.epp.ref || e.To.Kind == "Service" && s.picks(e.To.Name):
			picker = true
		default:
			others = true
		}
	}
	return servers, picker, others
}

// selects reports whether the pods of a workload are what the expressions of a selector ask for as well:
// the graph goes by labels.
func (s *sources) selects(m member, to wiring.Ref) bool {
	var asked metav1.LabelSelector
	for _, field := range []string{"selector", "podSelector"} {
		if data, err := json.Marshal(at(m.what, "spec", field)); err == nil {
			_ = json.Unmarshal(data, &asked) // the API server refuses what is none
		}
	}
	selector, err := metav1.LabelSelectorAsSelector(&asked)
	i := slices.IndexFunc(s.g.members, func(m member) bool { return m.ref == to })
	if err != nil || i < 0 || len(templates(s.g.members[i].what)) == 0 {
		return true
	}
	own := labels.Set{}
	for key, v := range mapping(at(templates(s.g.members[i].what)[0], "metadata", "labels")) {
		own[key] = fmt.Sprint(v)
	}
	return selector.Matches(own)
}

// picks reports whether a Service is that of the EPP.
func (s *sources) picks(service string) bool {
	return !s.g.poolless && text(s.g.pool.what, "spec", "endpointPickerRef", "name") == service
}

// replaced says what becomes of members that a stack calls otherwise, or makes nothing in the place of.
func (s *sources) replaced(t *trial, made []object) (out schema.Problems) {
	have := map[string]bool{}
	for _, o := range made {
		have[named(o)] = true
	}
	names := s.replacements(text(t.stack, "metadata", "name"))
	for i, m := range s.g.members {
		if have[named(m.what)] || !slices.Contains(scalers, m.ref.Kind) && !slices.Contains(guards, m.ref.Kind) {
			continue
		}
		if name := names[i]; name != "" && have[m.ref.Kind+" "+name] {
			out = append(out, m.Problem(schema.Info, "metadata.name", "%s is called %s in the stack: delete %s when that is there", named(m.what), name, m.ref.Name))
			continue
		}
		out = append(out, m.Problem(schema.Warning, "", "%s is not in the stack: %s", named(m.what), s.why(t, m)))
	}
	return out
}

// others are the objects of the input that stay where a stack makes its own: not those that it makes,
// under whatever name.
func (s *sources) others(t *trial, made []object) []member {
	have := map[string]bool{}
	for _, o := range made {
		have[named(o)] = true
	}
	gone := map[wiring.Ref]bool{}
	for i, name := range s.replacements(text(t.stack, "metadata", "name")) {
		m := s.g.members[i]
		gone[m.ref] = have[m.ref.Kind+" "+name]
	}
	return slices.DeleteFunc(slices.Clone(s.g.in.docs), func(m member) bool { return gone[m.ref] })
}

// fields are what a stack could say for an object that it does not make.
func (s *sources) fields(m member) []proposal {
	for _, r := range s.roles {
		name, to := text(r.what, "metadata", "name"), "spec."+r.name+"."
		switch {
		case slices.Contains(scalers, m.ref.Kind) && name == s.scaled(m):
			choices := autoscaling(to+"autoscaling", m, s.variantOf(m.what, name))[0]
			return choices[max(len(choices)-1, 0):] // the one with all that the scaler says
		case m.ref.Kind == "PodDisruptionBudget" && name == s.called(m, ""):
			return []proposal{{to + "disruptionBudget": budget(m.what)}}
		}
	}
	if m.ref.Kind == "NetworkPolicy" {
		return []proposal{{"spec.networkPolicy": object{}}}
	}
	return []proposal{{"spec.monitoring": object{}}}
}

// why is what keeps a stack from having an object.
func (s *sources) why(t *trial, m member) string {
	name := s.called(m, text(t.stack, "metadata", "name"))
	if name == "" {
		return s.homeless(m)
	}
	for _, p := range s.fields(m) {
		if message := t.refusal(p); message != "" {
			return message
		}
	}
	return fmt.Sprintf("the one that a stack makes, %s, says other things; keep it beside the stack, or write what it is for by hand", name)
}

// homeless is why a stack has no place for an object.
func (s *sources) homeless(m member) string {
	if slices.Contains(scalers, m.ref.Kind) {
		return "it scales none of the servers; keep it beside the stack"
	}
	var names []string
	for _, e := range s.g.in.graph.Edges {
		if e.From == m.ref {
			names = append(names, e.To.Kind+" "+e.To.Name)
		}
	}
	if len(names) == 0 {
		return "it selects none of the pods; keep it beside the stack, if it is for others"
	}
	return fmt.Sprintf("it is for %s, and a stack has none for exactly these; keep it beside the stack", strings.Join(slices.Compact(names), " and "))
}
