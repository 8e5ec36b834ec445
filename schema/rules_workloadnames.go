package schema

import (
	"cmp"
	"strconv"
	"strings"
)

// serviceNames refuses a Service whose name is taken: by another one of the stack, or by
// the headless Service that LeaderWorkerSet makes under its own name.
func serviceNames(s *Stack) []Problem {
	taken := map[string]string{}
	var out []Problem
	for _, r := range s.sections() {
		if s.groupsNamed(r) {
			taken[s.workloadName(r)] = "the LeaderWorkerSet of " + r.path + " has a Service of that name"
		}
	}
	for _, r := range s.roles() {
		if r.Service == nil {
			continue
		}
		name := cmp.Or(r.Service.Name, s.workloadName(r))
		if why := taken[name]; why != "" {
			out = append(out, s.Problem(Error, r.path+".service.name", "must not be %s: %s", name, why))
		}
		taken[name] = r.path + ".service has that name"
	}
	if name := cmp.Or(s.Spec.Server.Service.Name, s.Metadata.Name); s.Spec.Server.Service.Enabled && taken[name] != "" {
		out = append(out, s.Problem(Error, "spec.server.service.name", "must not be %s: %s", name, taken[name]))
	}
	return append(out, s.groupNames()...)
}

// groupNames refuses a LeaderWorkerSet with the name that another's group of workers has: its
// controller makes a StatefulSet of the leaders under the name itself, and one of the workers
// under <name>-<group> (kubernetes-sigs/lws pkg/controllers/pod_controller.go; issue 236).
func (s *Stack) groupNames() []Problem {
	var out []Problem
	var sets []section
	for _, r := range s.sections() {
		if s.groupsNamed(r) {
			sets = append(sets, r)
		}
	}
	for _, one := range sets {
		for _, other := range sets {
			if group, is := groupOf(s.workloadName(one), s.workloadName(other)); is && group < mostGroups(one) {
				out = append(out, s.Problem(Error, s.namedAt(other), "makes a LeaderWorkerSet %s, and that is the name of the workers' StatefulSet in group %d of %s; choose a name that does not end in a number", s.workloadName(other), group, Path(one.path)))
			}
		}
	}
	return out
}

// groupOf is the group of the LeaderWorkerSet of which name would be the workers.
func groupOf(set, name string) (group int, is bool) {
	number, follows := strings.CutPrefix(name, set+"-")
	group, err := strconv.Atoi(number)
	return group, follows && err == nil && strconv.Itoa(group) == number
}

// mostGroups are the groups that a role has at most; a rollout may double them.
func mostGroups(r section) int {
	return 2 * max(1, int(r.mostReplicas()))
}

// roles are the roles that the stack has, whether they have variants or not.
func (s *Stack) roles() []section {
	out := []section{{Role: &s.Spec.Decode, path: "spec.decode", role: RoleDecode}}
	if s.Spec.Prefill != nil {
		out = append(out, section{Role: s.Spec.Prefill, path: "spec.prefill", role: RolePrefill})
	}
	if s.Spec.Encode != nil {
		out = append(out, section{Role: s.Spec.Encode, path: "spec.encode", role: RoleEncode})
	}
	return out
}

// workloadName is the name of the section's workload, or of the role's Service, as the
// generators derive it, as far as it is short enough to be kept.
func (s *Stack) workloadName(r section) string {
	name := cmp.Or(r.Name, s.Metadata.Name+"-"+r.role)
	if r.variant != nil {
		name += "-" + r.variant.Name
	}
	return name
}

// namedAt is the field from which the section's workload has its name.
func (s *Stack) namedAt(r section) string {
	if r.variant == nil && !s.Has(r.path+".name") {
		return "metadata.name"
	}
	return r.path + ".name"
}
