package helm

import (
	"cmp"
	"maps"
	"slices"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/inferstack/inferstack/convert/draft"
	"github.com/inferstack/inferstack/convert/pods"
	"github.com/inferstack/inferstack/convert/serving"
)

// vendors are the chart's accelerator types, with the resource where it is not the
// schema's.
var vendors = map[string]struct{ typ, resource string }{
	"nvidia": {"nvidia", ""}, "amd": {"amd", ""}, "cpu": {"cpu", ""}, "google": {"google-tpu", ""}, "intel-gaudi": {"intel-gaudi", ""},
	"intel-xe": {"intel-xpu", ""}, "intel": {"intel-xpu", ""}, "intel-i915": {"intel-xpu", "gpu.intel.com/i915"},
}

// vendorEnv is what the chart sets for a type (values.yaml, accelerator.env).
var vendorEnv = map[string][]corev1.EnvVar{
	"intel-i915": {{Name: "VLLM_USE_V1", Value: "1"}, {Name: "TORCH_LLM_ALLREDUCE", Value: "1"}, {Name: "VLLM_WORKER_MULTIPROC_METHOD", Value: "spawn"}},
	"intel-xe":   {{Name: "VLLM_WORKER_MULTIPROC_METHOD", Value: "spawn"}},
}

// claimed takes the accelerators of an older chart's dra for those of today's.
func (r *release) claimed() {
	m := r.model
	if m.DRA == nil || !m.DRA.Enabled {
		return
	}
	r.msPart.On("spec.server.accelerator", "dra").Note("read as charts 0.3 do; since 0.4 accelerator.dra says the same")
	on := true
	m.Accelerator.DRA, m.Accelerator.Type = &on, draft.Unless(m.DRA.Type, "nvidia")
	m.Accelerator.ResourceClaimTemplates = map[string]ClaimTemplate{}
	for _, t := range m.DRA.ClaimTemplates {
		m.Accelerator.ResourceClaimTemplates[t.Name] = t
	}
}

// accelerator completes the accelerators of a role.
func (r *release) accelerator(role *pods.Role, values *Role) {
	typ, from := draft.Unless(r.model.Accelerator.Type, "nvidia"), "accelerator.type"
	dra := r.model.Accelerator.DRA
	if own := values.Accelerator; own != nil {
		if own.Type != "" {
			typ, from = own.Type, role.Name+".accelerator.type"
		}
		if own.DRA != nil {
			dra = own.DRA
		}
		if len(own.Resources) > 0 || len(own.Env) > 0 || len(own.ResourceClaimTemplates) > 0 {
			r.msPart.Lost(role.Name+".accelerator", "resources, env and resourceClaimTemplates of one role alone; the chart does not read them either")
		}
	}
	vendor, ok := vendors[typ]
	if typ == atom {
		r.plainDevice(role, draft.Unless(r.model.Accelerator.Resources[typ], atomResource), from)
		return
	}
	if !ok {
		r.msPart.Lost(from, "accelerators of type %s; a stack has nvidia, amd, intel-gaudi, intel-xpu, google-tpu and cpu", typ)
		return
	}
	role.Accelerator = map[string]any{"type": vendor.typ}
	claimed := dra != nil && *dra
	if name := draft.Unless(r.model.Accelerator.Resources[typ], vendor.resource); name != "" && !claimed {
		role.Accelerator["resourceName"] = name
		rename(&role.Pod.Containers[0].Resources, name, typ)
	}
	if t := values.AcceleratorTypes; t.LabelKey != "" {
		role.Accelerator["nodeLabel"] = map[string]any{"key": t.LabelKey, "values": t.LabelValues}
		for _, at := range []string{"spec.server", "spec." + role.Name} {
			r.msPart.From(at+".accelerator.nodeLabel.key", role.Name+".acceleratorTypes.labelKey")
			r.msPart.From(at+".accelerator.nodeLabel.values", role.Name+".acceleratorTypes.labelValues")
		}
	}
	if claimed {
		r.claims(role, typ)
	}
	main := &role.Pod.Containers[0]
	if !serving.Simulated(main.Image) {
		main.Env = append(main.Env, missing(main.Env, r.vendorEnv(typ))...)
	}
}

// The NPU of Rebellions, which the chart knows and a stack does not (llm-d-modelservice
// values.yaml, 0.4.12).
const (
	atom         = "rebellions-atom"
	atomResource = "rebellions.ai/ATOM"
)

// plainDevice asks for devices of which a stack knows nothing but the resource, as many as
// the chart asks for.
func (r *release) plainDevice(role *pods.Role, resourceName, from string) {
	role.Accelerator = map[string]any{"type": "cpu"}
	main, name := &role.Pod.Containers[0], corev1.ResourceName(resourceName)
	to := "spec." + role.Name + ".parallelism."
	number := func(field string) int64 {
		n, _ := strconv.ParseInt(cmp.Or(r.Text(to+field), "1"), 10, 64)
		return max(n, 1)
	}
	if _, asked := main.Resources.Limits[name]; !asked {
		q := *resource.NewQuantity(number("tensor")*number("data")/number("nodes"), resource.DecimalSI)
		main.Resources.Limits = withDevice(main.Resources.Limits, name, q)
		main.Resources.Requests = withDevice(main.Resources.Requests, name, q)
	}
	r.msPart.On("spec."+role.Name, from).Note("%s is a plain resource of the container: a stack has no accelerator of this type, and neither an image nor node labels for it", resourceName)
	if main.Image == "" || serving.Simulated(main.Image) {
		r.msPart.On("", from).Fail("%s has no image in the release catalogue; name one that is made for it in %s.containers[0].image", resourceName, role.Name)
	}
}

func withDevice(list corev1.ResourceList, name corev1.ResourceName, q resource.Quantity) corev1.ResourceList {
	out := maps.Clone(list)
	if out == nil {
		out = corev1.ResourceList{}
	}
	out[name] = q
	return out
}

// rename makes a resource of the user's own name one that is taken for accelerators.
func rename(r *corev1.ResourceRequirements, resource, typ string) {
	usual := map[string]corev1.ResourceName{"nvidia": "nvidia.com/gpu", "amd": "amd.com/gpu", "intel-gaudi": "habana.ai/gaudi", "intel-xe": "gpu.intel.com/xe", "google": "google.com/tpu"}[typ]
	for _, list := range []corev1.ResourceList{r.Limits, r.Requests} {
		if q, ok := list[corev1.ResourceName(resource)]; ok && usual != "" {
			delete(list, corev1.ResourceName(resource))
			list[usual] = q
		}
	}
}

func (r *release) vendorEnv(typ string) []corev1.EnvVar {
	if env, ok := r.model.Accelerator.Env[typ]; ok {
		return env
	}
	return vendorEnv[typ]
}

func missing(have, wanted []corev1.EnvVar) []corev1.EnvVar {
	return slices.DeleteFunc(slices.Clone(wanted), func(w corev1.EnvVar) bool {
		return slices.ContainsFunc(have, func(h corev1.EnvVar) bool { return h.Name == w.Name })
	})
}

// classes are the chart's device classes, which are the schema's as well.
var classes = map[string]string{
	"nvidia": "gpu.nvidia.com", "intel": "gpu.intel.com", "intel-i915": "gpu.intel.com", "intel-xe": "gpu.intel.com",
	"intel-gaudi": "gaudi.intel.com", "amd": "gpu.amd.com", "google": "tpu.google.com",
}

// claims are Dynamic Resource Allocation.
func (r *release) claims(role *pods.Role, typ string) {
	section := map[string]any{}
	t := r.model.Accelerator.ResourceClaimTemplates[typ]
	if t.Name != "" && !serving.Simulated(role.Pod.Containers[0].Image) {
		r.msPart.On("spec.server.accelerator.dra", "accelerator.resourceClaimTemplates."+typ+".name").Dropped().Note("left out: the template of the claims is called after the servers that it is for")
	}
	if t.Class != "" && t.Class != classes[typ] {
		section["deviceClassName"] = t.Class
	}
	if t.Match != "" && t.Match != "exactly" {
		r.msPart.Lost("accelerator.resourceClaimTemplates", "a match other than exactly")
	}
	if t.Count != nil {
		role.Accelerator["count"] = *t.Count
	}
	var selectors []string
	for _, s := range t.Selectors {
		m, _ := s.(map[string]any)
		cel, _ := m["cel"].(map[string]any)
		if expression, ok := cel["expression"].(string); ok {
			selectors = append(selectors, expression)
		} else {
			r.msPart.Lost("accelerator.resourceClaimTemplates", "a selector that is not a CEL expression")
		}
	}
	if len(selectors) > 0 {
		section["selectors"] = selectors
	}
	role.Accelerator["dra"] = section
}
