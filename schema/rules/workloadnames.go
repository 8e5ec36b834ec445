package rules

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/inferstack/inferstack/internal/lists"
	"github.com/inferstack/inferstack/schema"
)

// serviceNames refuses a Service whose name is taken: by another one of the stack, or by
// the headless Service that LeaderWorkerSet makes under its own name.
func serviceNames(s stack) []schema.Problem {
	taken := map[string]string{}
	var out []schema.Problem
	for _, r := range s.Workloads() {
		if s.groupsNamed(r) {
			taken[s.workloadName(r)] = "the LeaderWorkerSet of " + r.Path + " has a Service of that name"
		}
	}
	for _, r := range s.Roles() {
		if r.Service == nil {
			continue
		}
		name := cmp.Or(r.Service.Name, s.workloadName(r))
		if why := taken[name]; why != "" {
			out = append(out, s.Problem(schema.Error, r.Path+".service.name", "must not be %s: %s", name, why))
		}
		taken[name] = r.Path + ".service has that name"
	}
	if name := cmp.Or(s.Spec.Server.Service.Name, s.Metadata.Name); s.Spec.Server.Service.Enabled && taken[name] != "" {
		out = append(out, s.Problem(schema.Error, "spec.server.service.name", "must not be %s: %s", name, taken[name]))
	}
	return append(out, s.groupNames()...)
}

// groupNames refuses a LeaderWorkerSet with the name that another's group of workers has: its
// controller makes a StatefulSet of the leaders under the name itself, and one of the workers
// under <name>-<group> (kubernetes-sigs/lws pkg/controllers/pod_controller.go; issue 236).
func (s stack) groupNames() (out []schema.Problem) {
	sets := lists.Where(s.Workloads(), s.groupsNamed)
	for _, one := range sets {
		for _, other := range sets {
			if group, is := groupOf(s.workloadName(one), s.workloadName(other)); is && group < mostGroups(one) {
				out = append(out, s.Problem(schema.Error, s.namedAt(other), "makes a LeaderWorkerSet %s, and that is the name of the workers' StatefulSet in group %d of %s; choose a name that does not end in a number", s.workloadName(other), group, schema.Path(one.Path)))
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
func mostGroups(r schema.Workload) int {
	return 2 * max(1, int(mostReplicas(r)))
}

// workloadName is the name of the workload, or of the role's Service, as the
// generators derive it, as far as it is short enough to be kept.
func (s stack) workloadName(r schema.Workload) string {
	name := cmp.Or(r.Name, s.Metadata.Name+"-"+r.RoleName)
	if r.Variant != nil {
		name += "-" + r.Variant.Name
	}
	return name
}

// namedAt is the field from which the workload has its name.
func (s stack) namedAt(r schema.Workload) string {
	if r.Variant == nil && !s.Has(r.Path+".name") {
		return "metadata.name"
	}
	return r.Path + ".name"
}
