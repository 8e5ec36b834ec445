package schema

import (
	"cmp"
	"maps"
	"slices"

	"github.com/inferstack/inferstack/finding"
)

// VariantLabel tells the pods of a role's variants apart. It is in the selectors of their
// workloads, so that none selects the pods of another.
const VariantLabel = "inferstack.dev/variant"

// Workloads returns the workloads of the model servers, those of decode first: the roles that the
// stack has, or in place of one its variants. What a variant leaves out is that of its role. The
// list is not to be changed.
func (s *Stack) Workloads() (out []Workload) {
	if s.origin != nil && s.origin.workloads != nil {
		return s.origin.workloads
	}
	for _, r := range s.Roles() {
		out = append(out, expanded(r)...)
	}
	return out
}

func expanded(r Workload) (out []Workload) {
	if len(r.Variants) == 0 {
		return []Workload{r}
	}
	for i := range r.Variants {
		v := &r.Variants[i]
		out = append(out, Workload{v.of(r.Role), finding.Indexed(r.Path+".variants", i), r.RoleName, v})
	}
	return out
}

// WorkloadsOf returns the workloads of a role.
func (s *Stack) WorkloadsOf(role string) []Workload {
	return slices.DeleteFunc(slices.Clone(s.Workloads()), func(r Workload) bool { return r.RoleName != role })
}

// isPrefill reports whether a role is that of prefill servers, or a variant of it.
func (s *Stack) isPrefill(r *Role) bool { return r != nil && s.nameOf(r) == RolePrefill }

// isEncode reports whether a role is that of encode servers, or a variant of it.
func (s *Stack) isEncode(r *Role) bool { return r != nil && s.nameOf(r) == RoleEncode }

// nameOf is the name of a role, or of the one of which it is a variant.
func (s *Stack) nameOf(r *Role) string {
	for _, one := range append(s.Roles(), s.Workloads()...) {
		if one.Role == r {
			return one.RoleName
		}
	}
	return ""
}

// of is the role as the variant has it: lists are appended, maps joined, and other values win
// over the role's.
func (v *Variant) of(r *Role) *Role {
	out := *r
	out.Variants, out.Service = nil, nil
	out.Replicas = *cmp.Or(v.Replicas, &r.Replicas)
	out.Autoscaling = cmp.Or(v.Autoscaling, r.Autoscaling)
	out.Parallelism = *cmp.Or(v.Parallelism, &r.Parallelism)
	out.Accelerator = cmp.Or(v.Accelerator, r.Accelerator)
	out.Image = cmp.Or(v.Image, r.Image)
	if len(v.Command) > 0 {
		out.Command = v.Command
	}
	out.Args = slices.Concat(r.Args, v.Args)
	out.VLLM = v.VLLM.over(r.VLLM)
	out.Offload = cmp.Or(v.Offload, r.Offload)
	out.Env = slices.Concat(r.Env, v.Env)
	out.EnvFrom = slices.Concat(r.EnvFrom, v.EnvFrom)
	out.DisruptionBudget = cmp.Or(v.DisruptionBudget, r.DisruptionBudget)
	out.Rollout = *cmp.Or(v.Rollout, &r.Rollout)
	out.Pod = v.Pod.over(&r.Pod)
	return &out
}

// over joins the fields of a pod with those that it inherits.
func (p *Pod) over(r *Pod) Pod {
	out := Pod{
		Resources:                 cmp.Or(p.Resources, r.Resources),
		NodeSelector:              both(r.NodeSelector, p.NodeSelector),
		Tolerations:               slices.Concat(r.Tolerations, p.Tolerations),
		Affinity:                  cmp.Or(p.Affinity, r.Affinity),
		TopologySpreadConstraints: slices.Concat(r.TopologySpreadConstraints, p.TopologySpreadConstraints),
		PriorityClassName:         cmp.Or(p.PriorityClassName, r.PriorityClassName),
		RuntimeClassName:          cmp.Or(p.RuntimeClassName, r.RuntimeClassName),
		SchedulerName:             cmp.Or(p.SchedulerName, r.SchedulerName),
		Labels:                    both(r.Labels, p.Labels),
		Annotations:               both(r.Annotations, p.Annotations),
		PodLabels:                 both(r.PodLabels, p.PodLabels),
		PodAnnotations:            both(r.PodAnnotations, p.PodAnnotations),
		Volumes:                   slices.Concat(r.Volumes, p.Volumes),
		VolumeMounts:              slices.Concat(r.VolumeMounts, p.VolumeMounts),
		InitContainers:            slices.Concat(r.InitContainers, p.InitContainers),
		Containers:                slices.Concat(r.Containers, p.Containers),
		PodTemplatePatch:          p.PodTemplatePatch,
	}
	if out.PodTemplatePatch == nil {
		out.PodTemplatePatch = r.PodTemplatePatch
	}
	return out
}

func both[M ~map[string]string](a, b M) M {
	if len(a) == 0 {
		return b
	}
	out := maps.Clone(a)
	maps.Copy(out, b)
	return out
}

// Roles are the roles that the stack has, whether they have variants or not.
func (s *Stack) Roles() []Workload {
	out := []Workload{{Role: &s.Spec.Decode, Path: "spec.decode", RoleName: RoleDecode}}
	if s.Spec.Prefill != nil {
		out = append(out, Workload{Role: s.Spec.Prefill, Path: "spec.prefill", RoleName: RolePrefill})
	}
	if s.Spec.Encode != nil {
		out = append(out, Workload{Role: s.Spec.Encode, Path: "spec.encode", RoleName: RoleEncode})
	}
	return out
}
