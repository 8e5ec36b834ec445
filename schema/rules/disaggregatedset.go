package rules

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/inferstack/inferstack/admission"
	"github.com/inferstack/inferstack/finding"
	"github.com/inferstack/inferstack/schema"
)

// longestGenerated is what the controller of DisaggregatedSets may call a role's LeaderWorkerSet of
// one-node servers: <set>-<slice>-<revision>-<role>, with a revision of 8 characters
// (kubernetes-sigs/lws main, pkg/webhooks/disaggregatedset; v0.9.0 leaves the slice out). The name
// is a StatefulSet's.
const longestGenerated = schema.MaxStatefulSetName - len("-99") - len("-12345678") - len("-")

// disaggregatedSetFits checks what a DisaggregatedSet asks of the roles.
func disaggregatedSetFits(s stack) []schema.Problem {
	const at = "spec.disaggregatedSet"
	set := s.Spec.DisaggregatedSet
	if set == nil {
		return nil
	}
	var out []schema.Problem
	switch {
	case !s.Spec.Server.Create:
		return []schema.Problem{s.Problem(schema.Error, at, "runs the servers that the stack makes, and %s is false", schema.Path("spec.server.create"))}
	case !s.Disaggregated():
		return []schema.Problem{s.Problem(schema.Error, at, "needs a second role, and there are decode servers alone: add prefill or encode, or leave it out")}
	case set.Slices != nil && *set.Slices > 1:
		out = append(out, s.Problem(schema.Info, at+".slices", "needs a LeaderWorkerSet newer than 0.9, whose DisaggregatedSet has no slices"))
	}
	if set.PlacementPolicy != nil {
		out = append(out, s.Problem(schema.Info, at+".placementPolicy", "needs a LeaderWorkerSet newer than 0.9, whose DisaggregatedSet has none"))
		out = append(out, s.placedTwice("spec.server", &s.Spec.Server.Pod)...)
	}
	for _, r := range s.Roles() {
		out = append(out, s.setRole(r)...)
	}
	return slices.Concat(out, s.setReplicas(), s.setName())
}

// setRole reports what a role of a DisaggregatedSet cannot have.
func (s stack) setRole(r schema.Workload) (out []schema.Problem) {
	refuse := func(field, format string, args ...any) {
		out = append(out, s.Problem(schema.Error, r.Path+field, format, args...))
	}
	if len(r.Variants) > 0 {
		refuse(".variants", "cannot be roles of a DisaggregatedSet, which replaces servers that differ as one; leave out %s, or the variants", schema.Path("spec.disaggregatedSet"))
	}
	if r.Name != "" {
		refuse(".name", "names a workload of the role's own, and a DisaggregatedSet has all roles; set %s", schema.Path("spec.disaggregatedSet.name"))
	}
	if len(r.Selector) > 0 {
		refuse(".selector", "is of a workload that was there before the stack; the one of a DisaggregatedSet selects by labels of its own")
	}
	if r.Autoscaling != nil {
		refuse(".autoscaling", "cannot scale a role of a DisaggregatedSet, which has no scale subresource for one; set replicas, or leave out %s", schema.Path("spec.disaggregatedSet"))
	}
	if r.Rollout.Type == "Recreate" {
		refuse(".rollout.type", "must be RollingUpdate in a DisaggregatedSet, which has nothing else")
	}
	if r.Rollout.Partition != nil {
		refuse(".rollout.partition", "cannot be combined with %s, whose controller decides how far each role is replaced", schema.Path("spec.disaggregatedSet"))
	}
	if s.Spec.DisaggregatedSet.PlacementPolicy != nil {
		out = append(out, s.placedTwice(r.Path, &r.Pod)...)
	}
	return out
}

// placedTwice refuses the annotations by which a LeaderWorkerSet places its groups beside a
// placement of slices: the pods would have to be in two domains.
func (s stack) placedTwice(at string, p *schema.Pod) (out []schema.Problem) {
	for _, from := range []struct {
		field string
		keys  map[string]string
	}{{".annotations", p.Annotations}, {".podAnnotations", p.PodAnnotations}} {
		for _, key := range admission.ExclusivePlacement {
			if _, written := from.keys[key]; written {
				out = append(out, s.Problem(schema.Error, finding.Join(at+from.field, key, 0), "cannot be combined with %s: both would place the pods", schema.Path("spec.disaggregatedSet.placementPolicy")))
			}
		}
	}
	return out
}

// setReplicas refuses roles of which some are at 0 and others not
// (disaggregatedset_types.go, XValidation of the spec).
func (s stack) setReplicas() []schema.Problem {
	idle := func(r schema.Workload) bool { return r.Replicas == 0 }
	all := s.Roles()
	if !slices.ContainsFunc(all, idle) || !slices.ContainsFunc(all, func(r schema.Workload) bool { return !idle(r) }) {
		return nil
	}
	at := all[slices.IndexFunc(all, idle)].Path + ".replicas"
	return []schema.Problem{s.Problem(schema.Error, at, "is 0, and other roles have servers: a DisaggregatedSet has some of each role, or none at all")}
}

// setName refuses a name from which the controller makes one that is too long.
func (s stack) setName() []schema.Problem {
	name, longest := cmp.Or(s.Spec.DisaggregatedSet.Name, s.Metadata.Name), longestGenerated
	for _, r := range s.Roles() {
		room := longestGenerated - len(r.RoleName)
		if r.Parallelism.Nodes > 1 { // the workers' StatefulSet is <name>-<group>
			room -= len("-") + len(strconv.Itoa(max(0, int(r.Replicas)-1)))
		}
		longest = min(longest, room)
	}
	if len(name) <= longest {
		return nil
	}
	at := "metadata.name"
	if s.Spec.DisaggregatedSet.Name != "" {
		at = "spec.disaggregatedSet.name"
	}
	return []schema.Problem{s.Problem(schema.Error, at, "makes the name of a DisaggregatedSet of %d characters, and at most %d leave room for slice, revision and role in those of its pods; set a shorter %s", len(name), longest, schema.Path("spec.disaggregatedSet.name"))}
}

// slices are the copies of the roles that run.
func (s stack) slices() int32 {
	if set := s.Spec.DisaggregatedSet; set != nil && set.Slices != nil {
		return *set.Slices
	}
	return 1
}

// groupsNamed reports whether the workload's servers are a LeaderWorkerSet that the stack names.
func (s stack) groupsNamed(r schema.Workload) bool {
	return r.Parallelism.Nodes > 1 && s.Spec.DisaggregatedSet == nil
}
