package schema

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// A requirement is a resources section and where it is written.
type requirement struct {
	path             string
	requests, limits map[string]resource.Quantity
}

// resourcesFit refuses what the API server refuses: requests above their limits.
func resourcesFit(s *Stack) []Problem {
	var out []Problem
	for _, r := range s.requirements() {
		for _, name := range slices.Sorted(maps.Keys(r.requests)) {
			request := r.requests[name]
			if limit, ok := r.limits[name]; ok && request.Cmp(limit) > 0 {
				out = append(out, s.Problem(Error, join(r.path+".requests", name, 0), "must not be above the limit, %s (got %s)", limit.String(), request.String()))
			}
		}
	}
	for _, r := range s.sections() {
		out = append(out, s.writtenAccelerators(r)...)
	}
	return out
}

// writtenAccelerators compares accelerators that stand among a role's resources with
// their computed number, by which vLLM is told to spread.
func (s *Stack) writtenAccelerators(r section) []Problem {
	name := s.AcceleratorResource(r.Role)
	if name == "" {
		return nil
	}
	at, section := r.path+".resources", r.Resources
	if section == nil {
		at, section = "spec.server.resources", s.Spec.Server.Resources
	}
	if section == nil {
		return nil
	}
	var out []Problem
	count := s.AcceleratorCount(r.Role)
	for _, list := range []struct {
		at    string
		items map[string]resource.Quantity
	}{{at + ".requests", section.Requests}, {at + ".limits", section.Limits}} {
		if written, ok := list.items[name]; ok && written.CmpInt64(int64(count)) != 0 {
			out = append(out, s.Problem(Error, join(list.at, name, 0), "must be %d, the accelerators of a %s pod, or be left out; accelerator.count sets another number (got %s)",
				count, r.path[len("spec."):], written.String()))
		}
	}
	return out
}

// requirements lists every resources section of the stack.
func (s *Stack) requirements() []requirement {
	var out []requirement
	add := func(path string, r *Resources) {
		if r != nil {
			out = append(out, requirement{path + ".resources", r.Requests, r.Limits})
		}
	}
	add("spec.server", s.Spec.Server.Resources)
	for _, r := range s.sections() {
		add(r.path, r.Resources)
	}
	add(schedulerPath, s.Spec.Scheduler.Resources)
	add(schedulerPath+".tokenizer", s.Spec.Scheduler.Tokenizer.Resources)
	add("spec.kvTransfer.sidecar", s.Spec.KVTransfer.Sidecar.Resources)
	if redis := s.Spec.KVCache.Redis; redis != nil {
		add("spec.kvCache.redis", redis.Resources)
	}
	if s.Spec.Gateway != nil {
		add("spec.gateway", s.Spec.Gateway.Resources)
	}
	for i := range s.Spec.ExtraGateways {
		add(indexed("spec.extraGateways", i), s.Spec.ExtraGateways[i].Resources)
	}
	for _, list := range s.addedContainers() {
		for i, c := range list.containers {
			out = append(out, requirement{indexed(list.path, i) + ".resources", named(c.Resources.Requests), named(c.Resources.Limits)})
		}
	}
	return out
}

func named(list corev1.ResourceList) map[string]resource.Quantity {
	out := make(map[string]resource.Quantity, len(list))
	for name, q := range list {
		out[string(name)] = q
	}
	return out
}

// A containerList is a list of the user's containers and where it is written.
type containerList struct {
	path       string
	containers []corev1.Container
}

// addedContainers lists the containers that the user adds to pods of the stack.
func (s *Stack) addedContainers() []containerList {
	out := []containerList{{"spec.server.initContainers", s.Spec.Server.InitContainers}, {"spec.server.containers", s.Spec.Server.Containers}}
	for _, r := range s.sections() {
		out = append(out, containerList{r.path + ".initContainers", r.InitContainers}, containerList{r.path + ".containers", r.Containers})
	}
	return append(out, containerList{schedulerPath + ".initContainers", s.Spec.Scheduler.InitContainers}, containerList{schedulerPath + ".containers", s.Spec.Scheduler.Containers})
}
