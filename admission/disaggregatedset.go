package admission

import (
	"strconv"

	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
	lwsv1 "sigs.k8s.io/lws/api/leaderworkerset/v1"

	"github.com/inferstack/inferstack/internal/apis"
)

// What a DisaggregatedSet may have (kubernetes-sigs/lws main,
// api/disaggregatedset/v1/disaggregatedset_types.go).
const (
	leastRoles = 2
	mostRoles  = 10
	mostSlices = 100
)

// placementNone is the type of a placement that places nothing.
const placementNone = "None"

// disaggregated judges a DisaggregatedSet as its CRD and its webhook do.
func (j *judge) disaggregated(at *field.Path, set *apis.DisaggregatedSet) {
	roles := at.Child("roles")
	if n := len(set.Spec.Roles); n < leastRoles || n > mostRoles {
		j.bad(roles, "must have from %d to %d roles (has %d)", leastRoles, mostRoles, n)
	}
	slices := int32(1)
	if set.Spec.Slices != nil {
		slices = *set.Spec.Slices
		ranged(j, at.Child("slices"), slices, 1, mostSlices)
	}
	seen := map[string]bool{}
	for i := range set.Spec.Roles {
		role, at := &set.Spec.Roles[i], roles.Index(i)
		j.text(at.Child("name"), role.Name, dnsLabel)
		if seen[role.Name] {
			j.bad(at.Child("name"), "%s is there twice", role.Name)
		}
		seen[role.Name] = true
		j.roleName(at.Child("name"), set.Name, slices, role.Name)
		j.roleRollout(at.Child("spec").Child("rolloutStrategy"), &role.Spec.RolloutStrategy)
		j.groups(at.Child("spec"), &role.Spec)
	}
	j.allOrNone(roles, set.Spec.Roles)
	j.placement(at, &set.Spec)
}

// roleName refuses names that make that of a role's Service too long:
// <set>-<slice>-<revision>-<role>-prv, with a revision of 8 characters (webhook of lws main,
// validateGeneratedNames).
func (j *judge) roleName(at *field.Path, set string, slices int32, role string) {
	have := len(set) + len("-") + len(strconv.Itoa(int(slices)-1)) + len("-12345678-") + len(role) + len("-prv")
	if have > validation.DNS1035LabelMaxLength {
		j.bad(at, "makes the name of a Service of %d characters, and it may have %d: shorten it, or the name of the set", have, validation.DNS1035LabelMaxLength)
	}
}

func (j *judge) roleRollout(at *field.Path, r *lwsv1.RolloutStrategy) {
	oneOf(j, at.Child("type"), r.Type, lwsv1.RollingUpdateStrategyType)
	if u := r.RollingUpdateConfiguration; u != nil && u.Partition != nil && *u.Partition != 0 {
		j.bad(at.Child("rollingUpdateConfiguration").Child("partition"), "must be left out: the controller of the set decides how far each role is replaced")
	}
}

// allOrNone refuses a role without servers beside one that has some.
func (j *judge) allOrNone(at *field.Path, roles []apis.DisaggregatedRole) {
	idle, active := -1, -1
	for i := range roles {
		if n := roles[i].Spec.Replicas; n == nil || *n == 0 {
			idle = i
		} else {
			active = i
		}
	}
	if idle >= 0 && active >= 0 {
		j.bad(at.Index(idle).Child("spec").Child("replicas"), "is 0, and other roles have servers: all roles have some, or none has")
	}
}

// ExclusivePlacement are the annotations by which a LeaderWorkerSet keeps other groups out of the
// domain in which one of its own is.
var ExclusivePlacement = []string{lwsv1.ExclusiveKeyAnnotationKey, lwsv1.SubGroupExclusiveKeyAnnotationKey}

func (j *judge) placement(at *field.Path, s *apis.DisaggregatedSetSpec) {
	p := s.PlacementPolicy
	if p == nil {
		return
	}
	oneOf(j, at.Child("placementPolicy").Child("type"), p.Type, placementNone, "ExclusiveSlice", "ExclusiveTopology")
	if p.Type == "" || p.Type == placementNone {
		return
	}
	if p.Topology == "" {
		j.missing(at.Child("placementPolicy").Child("topology"))
	}
	for i := range s.Roles {
		j.placedTwice(at.Child("roles").Index(i), &s.Roles[i])
	}
}

func (j *judge) placedTwice(at *field.Path, r *apis.DisaggregatedRole) {
	template := at.Child("spec").Child("leaderWorkerTemplate")
	refuse := func(at *field.Path, annotations map[string]string) {
		for _, key := range ExclusivePlacement {
			if _, ok := annotations[key]; ok {
				j.bad(at.Child("metadata").Child("annotations").Key(key), "must not stand beside the set's placementPolicy: both would place the pods")
			}
		}
	}
	refuse(at, r.Annotations)
	if leader := r.Spec.LeaderWorkerTemplate.LeaderTemplate; leader != nil {
		refuse(template.Child("leaderTemplate"), leader.Annotations)
	}
	refuse(template.Child("workerTemplate"), r.Spec.LeaderWorkerTemplate.WorkerTemplate.Annotations)
}
