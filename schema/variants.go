package schema

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// VariantLabel tells the pods of a role's variants apart. It is in the selectors of their
// workloads, so that none selects the pods of another.
const VariantLabel = "inferstack.dev/variant"

// A Workload is the servers of a role, or of one of its variants, that are the same.
type Workload struct {
	*Role
	// Name of the role: decode, prefill or encode.
	Name string
	// Variant is nil for a role without variants.
	Variant *Variant
}

// Workloads returns the workloads of the model servers, those of decode first. What a variant
// leaves out is that of its role.
func (s *Stack) Workloads() []Workload {
	var out []Workload
	for _, r := range s.sections() {
		out = append(out, Workload{r.Role, r.role, r.variant})
	}
	return out
}

// sections returns the roles that the stack has, or in place of one its variants.
func (s *Stack) sections() []section {
	if s.origin != nil && s.origin.sections != nil {
		return s.origin.sections
	}
	var out []section
	for _, r := range s.roles() {
		out = append(out, expanded(r)...)
	}
	return out
}

// expand keeps what sections returns, so that a role is always the same pointer.
func (s *Stack) expand() {
	s.origin.sections = s.sections()
}

func expanded(r section) []section {
	if len(r.Variants) == 0 {
		return []section{r}
	}
	var out []section
	for i := range r.Variants {
		v := &r.Variants[i]
		out = append(out, section{v.of(r.Role), indexed(r.path+".variants", i), r.role, v})
	}
	return out
}

// decodes returns the sections of decode servers.
func (s *Stack) decodes() []section { return s.sectionsOf(RoleDecode) }

// prefills returns the sections of prefill servers.
func (s *Stack) prefills() []section { return s.sectionsOf(RolePrefill) }

// encodes returns the sections of encode servers.
func (s *Stack) encodes() []section { return s.sectionsOf(RoleEncode) }

func (s *Stack) sectionsOf(role string) []section {
	return slices.DeleteFunc(slices.Clone(s.sections()), func(r section) bool { return r.role != role })
}

// isPrefill reports whether a role is that of prefill servers, or a variant of it.
func (s *Stack) isPrefill(r *Role) bool { return r != nil && s.nameOf(r) == RolePrefill }

// isEncode reports whether a role is that of encode servers, or a variant of it.
func (s *Stack) isEncode(r *Role) bool { return r != nil && s.nameOf(r) == RoleEncode }

// nameOf is the name of a role, or of the one of which it is a variant.
func (s *Stack) nameOf(r *Role) string {
	for _, one := range append(s.roles(), s.sections()...) {
		if one.Role == r {
			return one.role
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

// lists are the fields of which a variant's entries follow its role's.
func (r *Role) lists() map[string]int {
	return map[string]int{
		"args": len(r.Args), "env": len(r.Env), "envFrom": len(r.EnvFrom), "tolerations": len(r.Tolerations),
		"topologySpreadConstraints": len(r.TopologySpreadConstraints), "volumes": len(r.Volumes), "volumeMounts": len(r.VolumeMounts),
		"initContainers": len(r.InitContainers), "containers": len(r.Containers),
	}
}

// written moves a problem of a variant to where its cause is written: in the variant, or in
// the role from which it inherits.
func (s *Stack) written(p Problem) Problem {
	role, rest := &s.Spec.Decode, ""
	at := "spec.decode"
	for _, r := range s.roles() {
		if within(p.Path, r.path) {
			role, at = r.Role, r.path
		}
	}
	variant, found := strings.CutPrefix(p.Path, at+".variants[")
	number, rest, deeper := strings.Cut(variant, "].")
	if !found || !deeper {
		return p
	}
	path := at + "." + rest
	field, tail, _ := strings.Cut(rest, "[")
	index, tail, _ := strings.Cut(tail, "]")
	i, err := strconv.Atoi(index)
	switch own, listed := role.lists()[field]; {
	case listed && err == nil && i >= own:
		path = indexed(at+".variants["+number+"]."+field, i-own) + tail
	case listed && err == nil: // one of the role's
	case s.Has(p.Path) || !s.Has(path):
		return p
	}
	moved := s.Problem(p.Severity, path, "%s", p.Message)
	moved.Rule = p.Rule
	return moved
}
