package serving

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/inferstack/inferstack/convert/draft"
)

// accelerators maps the extended resources of device plugins to accelerator types,
// in the order in which they are looked for.
var accelerators = []struct{ resource, typ string }{
	{"nvidia.com/gpu", "nvidia"},
	{"amd.com/gpu", "amd"},
	{"habana.ai/gaudi", "intel-gaudi"},
	{"gpu.intel.com/i915", "intel-xpu"},
	{"gpu.intel.com/xe", "intel-xpu"},
	{"google.com/tpu", "google-tpu"},
}

// DeviceResource is the extended resource by which a container gets accelerators, or "".
func DeviceResource(r corev1.ResourceRequirements) corev1.ResourceName {
	for _, a := range accelerators {
		name := corev1.ResourceName(a.resource)
		_, limited := r.Limits[name]
		if _, requested := r.Requests[name]; limited || requested {
			return name
		}
	}
	return ""
}

// Devices takes the accelerators out of a container's resources: their type, their
// number and the resource, or "cpu" when there is none.
func Devices(p *draft.Part, from string, r corev1.ResourceRequirements) (typ string, count int64, resource string) {
	for _, a := range accelerators {
		name := corev1.ResourceName(a.resource)
		limit, limited := r.Limits[name]
		request, requested := r.Requests[name]
		if !limited && !requested {
			continue
		}
		if limited && requested && limit.Cmp(request) != 0 {
			p.On("", from).Fail("%s must be requested as it is limited, %s and not %s: the API server takes nothing else of an accelerator", a.resource, limit.String(), request.String())
		}
		delete(r.Limits, name)
		delete(r.Requests, name)
		if !limited {
			limit = request
		}
		return a.typ, limit.Value(), a.resource
	}
	return "cpu", 0, ""
}

// Resources writes what is left of a container's resources.
func Resources(p *draft.Part, path, from string, r corev1.ResourceRequirements) {
	section := map[string]any{}
	if len(r.Requests) > 0 {
		section["requests"] = r.Requests
	}
	if len(r.Limits) > 0 {
		section["limits"] = r.Limits
	}
	if len(section) > 0 {
		p.Set(path, section, from)
	}
	if len(r.Claims) > 0 {
		p.Lost(from+".claims", "a claim of the container; accelerator.dra stands for the accelerators' claim")
	}
}
