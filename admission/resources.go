package admission

import (
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

const hugePages = "hugepages-"

// native reports whether a resource is one of Kubernetes's own (kubernetes
// pkg/apis/core/helper).
func native(name corev1.ResourceName) bool {
	return !strings.Contains(string(name), "/") || strings.Contains(string(name), "kubernetes.io/")
}

// Extended reports whether a container's resource is one of a device plugin. Its requests are
// its limits.
func Extended(name string) bool {
	return !native(corev1.ResourceName(name)) && !strings.HasPrefix(name, "requests.") && len(validation.IsQualifiedName("requests."+name)) == 0
}

// Resources judges the resources of a container.
func Resources(requests, limits map[string]resource.Quantity) []Flaw {
	j := &judge{}
	j.resources(nil, corev1.ResourceRequirements{Requests: list(requests), Limits: list(limits)})
	return j.flaws
}

func list(from map[string]resource.Quantity) corev1.ResourceList {
	out := make(corev1.ResourceList, len(from))
	for name, q := range from {
		out[corev1.ResourceName(name)] = q
	}
	return out
}

func (j *judge) resources(at *field.Path, r corev1.ResourceRequirements) {
	j.amounts(at.Child("limits"), r.Limits)
	j.amounts(at.Child("requests"), r.Requests)
	for _, name := range slices.Sorted(maps.Keys(r.Requests)) {
		j.request(at, name, r.Requests[name], r.Limits)
	}
	huge, computed := "", false
	for _, list := range []corev1.ResourceList{r.Requests, r.Limits} {
		for name := range list {
			computed = computed || name == corev1.ResourceCPU || name == corev1.ResourceMemory
			if strings.HasPrefix(string(name), hugePages) {
				huge = max(huge, string(name))
			}
		}
	}
	if huge != "" && !computed {
		j.bad(at, "%s needs cpu or memory beside it", huge)
	}
}

func (j *judge) request(at *field.Path, name corev1.ResourceName, request resource.Quantity, limits corev1.ResourceList) {
	limit, limited := limits[name]
	over := native(name) && !strings.HasPrefix(string(name), hugePages)
	at = at.Child("requests").Key(string(name))
	switch {
	case !limited && !over:
		j.bad(at, "needs a limit of the same amount: %s cannot be overcommitted", name)
	case limited && over && request.Cmp(limit) > 0:
		j.bad(at, "must not be above the limit, %s (got %s)", limit.String(), request.String())
	case limited && !over && request.Cmp(limit) != 0:
		j.bad(at, "must be the limit, %s: %s cannot be overcommitted (got %s)", limit.String(), name, request.String())
	}
}

func (j *judge) amounts(at *field.Path, list corev1.ResourceList) {
	for _, name := range slices.Sorted(maps.Keys(list)) {
		at, q := at.Key(string(name)), list[name]
		switch {
		case !containerResource(name):
			j.bad(at, "is not a resource of a container: cpu, memory, ephemeral-storage, hugepages-<size>, or that of a device plugin, such as nvidia.com/gpu")
		case q.Sign() < 0:
			j.bad(at, "must not be negative (got %s)", q.String())
		case Extended(string(name)) && q.MilliValue()%1000 != 0:
			j.bad(at, "must be a whole number: devices are not divided (got %s)", q.String())
		case strings.HasPrefix(string(name), hugePages):
			j.pages(at, name, q)
		}
	}
}

func containerResource(name corev1.ResourceName) bool {
	switch {
	case len(validation.IsQualifiedName(string(name))) > 0:
		return false
	case name == corev1.ResourceCPU, name == corev1.ResourceMemory, name == corev1.ResourceEphemeralStorage:
		return true
	case !strings.Contains(string(name), "/"):
		return strings.HasPrefix(string(name), hugePages)
	}
	return native(name) || Extended(string(name))
}

func (j *judge) pages(at *field.Path, name corev1.ResourceName, q resource.Quantity) {
	size, err := resource.ParseQuantity(strings.TrimPrefix(string(name), hugePages))
	switch {
	case err != nil || size.Sign() <= 0 || size.MilliValue()%1000 != 0:
		j.bad(at, "names no size of pages, as hugepages-2Mi does")
	case q.Value()%size.Value() != 0:
		j.bad(at, "must be a multiple of %s (got %s)", size.String(), q.String())
	}
}

// claims judges which of the pod's claims a container takes.
func (j *judge) claims(at *field.Path, list []corev1.ResourceClaim, there []string) {
	seen := map[string]bool{}
	for i, c := range list {
		at := at.Index(i)
		if c.Name == "" {
			j.missing(at.Child("name"))
			continue
		}
		j.optional(at.Child("request"), c.Request, dnsLabel)
		key := c.Name + "/" + c.Request
		if seen[key] || seen[c.Name+"/"] || c.Request == "" && slices.ContainsFunc(slices.Collect(maps.Keys(seen)), func(k string) bool { return strings.HasPrefix(k, key) }) {
			j.bad(at, "takes %q twice", c.Name)
		}
		seen[key] = true
		if !slices.Contains(there, c.Name) {
			j.bad(at.Child("name"), "there is no claim %q among the pod's resourceClaims", c.Name)
		}
	}
}
