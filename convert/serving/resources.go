package serving

import (
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/inferstack/inferstack/convert/draft"
)

type accelerator struct{ resource, typ string }

// accelerators maps the extended resources of device plugins to accelerator types,
// in the order in which they are looked for.
var accelerators = []accelerator{
	{"nvidia.com/gpu", "nvidia"},
	{"amd.com/gpu", "amd"},
	{"habana.ai/gaudi", "intel-gaudi"},
	{"gpu.intel.com/i915", "intel-xpu"},
	{"gpu.intel.com/xe", "intel-xpu"},
	{"google.com/tpu", "google-tpu"},
}

// shares are the beginnings of the names of parts of a GPU: MIG slices and time slices
// (NVIDIA k8s-device-plugin, docs of mig.strategy and renameByDefault).
var shares = []string{"nvidia.com/mig-", "nvidia.com/gpu."}

// DeviceResource is the extended resource by which a container gets accelerators, or "".
func DeviceResource(r corev1.ResourceRequirements) corev1.ResourceName {
	_, name := device(r)
	return name
}

// device finds the accelerators in a container's resources.
func device(r corev1.ResourceRequirements) (typ string, name corev1.ResourceName) {
	names := slices.Sorted(maps.Keys(r.Requests))
	names = append(names, slices.Sorted(maps.Keys(r.Limits))...)
	for _, a := range accelerators {
		if name := corev1.ResourceName(a.resource); slices.Contains(names, name) {
			return a.typ, name
		}
	}
	for _, name := range names {
		if slices.ContainsFunc(shares, func(s string) bool { return strings.HasPrefix(string(name), s) }) {
			return "nvidia", name
		}
	}
	return "cpu", ""
}

// Devices takes the accelerators out of a container's resources: their type, their
// number and the resource, or "cpu" when there is none.
func Devices(p *draft.Part, from string, r corev1.ResourceRequirements) (typ string, count int64, resource string) {
	typ, name := device(r)
	if name == "" {
		return typ, 0, ""
	}
	limit, limited := r.Limits[name]
	request, requested := r.Requests[name]
	if limited && requested && limit.Cmp(request) != 0 {
		p.On("", from).Fail("%s must be requested as it is limited, %s and not %s: the API server takes nothing else of an accelerator", name, limit.String(), request.String())
	}
	delete(r.Limits, name)
	delete(r.Requests, name)
	if !limited {
		limit = request
	}
	if limit.MilliValue()%1000 != 0 || limit.Sign() < 0 {
		p.On("", at(p, from, name)).Fail("must be a whole number (got %s): a container gets whole devices; for a part of a GPU ask for a MIG slice, as nvidia.com/mig-1g.5gb", limit.String())
	}
	return typ, limit.Value(), string(name)
}

// Asked is the number of accelerators that a container asks for.
func Asked(r corev1.ResourceRequirements) int64 {
	_, name := device(r)
	asked, limited := r.Limits[name]
	if !limited {
		asked = r.Requests[name]
	}
	return max(0, asked.Value())
}

// OwnResource reports whether a resource is not what the schema takes for an accelerator type
// by itself.
func OwnResource(resource string) bool {
	return resource != "" && (resource == "gpu.intel.com/i915" || !slices.ContainsFunc(accelerators, func(a accelerator) bool { return a.resource == resource }))
}

// at is the place of a resource in a section, where that is the container's own.
func at(p *draft.Part, from string, name corev1.ResourceName) string {
	for _, list := range []string{".limits", ".requests"} {
		if at := from + list + "[" + string(name) + "]"; p.Doc.Has(at) {
			return at
		}
	}
	return from
}

// Extended is the first resource that a device plugin other than the known ones gives, or "".
func Extended(r corev1.ResourceRequirements) corev1.ResourceName {
	for _, name := range slices.Sorted(maps.Keys(r.Limits)) {
		if domain, _, ok := strings.Cut(string(name), "/"); ok && !strings.HasSuffix(domain, "kubernetes.io") {
			return name
		}
	}
	return ""
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
