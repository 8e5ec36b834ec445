package pods

import (
	"strconv"

	corev1 "k8s.io/api/core/v1"

	"github.com/inferstack/inferstack/convert/serving"
)

// accelerators are common to the roles when they agree.
func (s *Servers) accelerators() {
	for _, r := range s.Roles {
		s.devices(r)
	}
	switch {
	case s.Simulator:
	case len(s.Roles) == 1 || equal(s.Roles[0].Accelerator, s.Roles[1].Accelerator):
		s.setAll("spec.server.accelerator", s.Roles[0])
	default:
		for _, r := range s.Roles {
			s.setAll("spec."+r.Name+".accelerator", r)
		}
	}
	s.shared("resources", func(r *Role) any { return orNil(resources(r.main.Resources)) })
	for _, r := range s.Roles {
		r.main.Resources = corev1.ResourceRequirements{Claims: r.main.Resources.Claims}
	}
}

func (s *Servers) setAll(path string, r *Role) {
	for _, field := range []string{"type", "count", "resourceName", "nodeLabel", "dra", "tpu"} {
		if v, ok := r.Accelerator[field]; ok {
			s.Set(path+"."+field, v, r.field("accelerator."+field))
		}
	}
}

// devices takes the accelerators out of the container's resources. Their number is
// written only where it is not what parallelism asks for.
func (s *Servers) devices(r *Role) {
	typ, count, resource := serving.Devices(s.Part, r.field("resources"), r.main.Resources)
	if r.Accelerator == nil {
		r.Accelerator = map[string]any{}
	}
	if _, ok := r.Accelerator["type"]; !ok {
		r.Accelerator["type"] = typ
	}
	if _, ok := r.Accelerator["resourceName"]; !ok && serving.OwnResource(resource) {
		r.Accelerator["resourceName"] = resource
	}
	if resource != "" && count != s.parallel(r) {
		r.Accelerator["count"] = count
	}
}

// parallel is the number of accelerators that a pod of the role needs.
func (s *Servers) parallel(r *Role) int64 {
	to := "spec." + r.Name + ".parallelism."
	local := s.number(to + "dataLocal")
	if !s.Has(to + "dataLocal") {
		local = max(1, s.number(to+"data")/s.number(to+"nodes"))
	}
	return s.number(to+"tensor") * s.number(to+"pipeline") * local
}

// number is the number at a field, or 1.
func (s *Servers) number(path string) int64 {
	n, err := strconv.ParseInt(s.Text(path), 10, 64)
	if err != nil {
		return 1
	}
	return n
}

func resources(r corev1.ResourceRequirements) map[string]any {
	out := map[string]any{}
	if len(r.Requests) > 0 {
		out["requests"] = r.Requests
	}
	if len(r.Limits) > 0 {
		out["limits"] = r.Limits
	}
	return out
}
