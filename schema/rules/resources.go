package rules

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/inferstack/inferstack/admission"
	"github.com/inferstack/inferstack/finding"
	"github.com/inferstack/inferstack/schema"
)

// A requirement is a resources section and where it is written.
type requirement struct {
	path string
	*schema.Resources
}

// resourcesFit refuses what the API server refuses of a container's resources.
func resourcesFit(s stack) (out []schema.Problem) {
	for _, r := range s.requirements() {
		out = append(out, s.flaws(r.path, admission.Resources(r.Whole()))...)
	}
	for _, r := range s.Workloads() {
		out = append(out, s.writtenAccelerators(r)...)
	}
	return out
}

// writtenAccelerators compares accelerators that stand among a role's resources with
// their computed number, by which vLLM is told to spread.
func (s stack) writtenAccelerators(r schema.Workload) []schema.Problem {
	section, at := s.resourcesOf(r)
	if section == nil {
		return nil
	}
	name := s.AcceleratorResource(r.Role)
	if name == "" {
		return s.askedTwice(r, at, section)
	}
	var out []schema.Problem
	count := s.AcceleratorCount(r.Role)
	for _, list := range []struct {
		at    string
		items map[string]resource.Quantity
	}{{at + ".requests", section.Requests}, {at + ".limits", section.Limits}} {
		if written, ok := list.items[name]; ok && written.CmpInt64(int64(count)) != 0 {
			out = append(out, s.Problem(schema.Error, finding.Join(list.at, name, 0), "must be %d, the accelerators of a %s pod, or be left out; accelerator.count sets another number (got %s)",
				count, r.Path[len("spec."):], written.String()))
		}
	}
	return out
}

// askedTwice refuses accelerators as an extended resource beside a claim for them.
func (s stack) askedTwice(r schema.Workload, at string, list *schema.Resources) []schema.Problem {
	a := s.AcceleratorOf(r.Role)
	name := schema.AcceleratorResources[a.Type]
	if a.DRA == nil || s.Simulated() || name == "" {
		return nil
	}
	_, requested := list.Requests[name]
	_, limited := list.Limits[name]
	if !requested && !limited {
		return nil
	}
	return []schema.Problem{s.Problem(schema.Error, at, "asks for %s, and accelerator.dra claims the devices already: a pod would get both; leave %s out", name, name)}
}

// requirements lists every resources section of the stack. Those of containers that the
// user adds were judged where they are written.
func (s stack) requirements() (out []requirement) {
	add := func(path string, r *schema.Resources) {
		if r != nil {
			out = append(out, requirement{path + ".resources", r})
		}
	}
	add("spec.server", s.Spec.Server.Resources)
	for _, r := range s.Workloads() {
		add(r.Path, r.Resources)
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
		add(finding.Indexed("spec.extraGateways", i), s.Spec.ExtraGateways[i].Resources)
	}
	return out
}

// A containerList is a list of the user's containers and where it is written.
type containerList struct {
	path       string
	containers []corev1.Container
}

// addedContainers lists the containers that the user adds to pods of the stack.
func (s stack) addedContainers() []containerList {
	out := []containerList{{"spec.server.initContainers", s.Spec.Server.InitContainers}, {"spec.server.containers", s.Spec.Server.Containers}}
	for _, r := range s.Workloads() {
		out = append(out, containerList{r.Path + ".initContainers", r.InitContainers}, containerList{r.Path + ".containers", r.Containers})
	}
	return append(out, containerList{schedulerPath + ".initContainers", s.Spec.Scheduler.InitContainers}, containerList{schedulerPath + ".containers", s.Spec.Scheduler.Containers})
}
