package rules

import (
	"maps"
	"slices"
	"strings"

	"github.com/inferstack/inferstack/admission"
	"github.com/inferstack/inferstack/finding"
	"github.com/inferstack/inferstack/schema"
)

// rdmaFits tells what adapters ask of the namespace and of the accelerator, and where nobody
// uses them.
func rdmaFits(s stack) []schema.Problem {
	out := s.rdmaLost()
	said := map[string]bool{}
	for _, r := range s.Workloads() {
		at := s.acceleratorPath(r)
		if s.AcceleratorOf(r.Role).RDMA != nil && !said[at] {
			said[at] = true
			out = append(out, s.rdmaPod(r, at+".rdma")...)
			out = append(out, s.rdmaDevices(r, at+".rdma")...)
		}
	}
	return append(out, s.all2AllFits()...)
}

// acceleratorPath is where the accelerator section in force for r is written.
func (s stack) acceleratorPath(r schema.Workload) string {
	switch {
	case r.Accelerator == nil:
		return "spec.server.accelerator"
	case r.Variant != nil && r.Variant.Accelerator == nil:
		return inherited(r) + ".accelerator"
	default:
		return r.Path + ".accelerator"
	}
}

// rdmaPod tells what the adapters ask of the pods.
func (s stack) rdmaPod(r schema.Workload, at string) []schema.Problem {
	added := s.RDMACapabilities(r.Role)
	switch {
	case s.Simulated():
		return []schema.Problem{s.Problem(schema.Info, at, "has no effect with the simulator, which moves no KV cache")}
	case len(added) > 0 && s.Spec.Security.PlatformIDs:
		return []schema.Problem{s.Problem(schema.Error, at+".capabilities", "need root (got %s), and %s leaves the user to the platform; write [] where the runtime does not limit locked memory, or set the user by podTemplatePatch", strings.Join(added, ", "), schema.Path("spec.security.platformIDs"))}
	case len(added) > 0:
		return []schema.Problem{s.Problem(schema.Info, at, "runs the servers as root with %s, which a namespace that enforces the baseline or restricted Pod Security Standard refuses; write capabilities: [] where the container runtime does not limit locked memory", strings.Join(added, ", "))}
	}
	return nil
}

// rdmaDevices holds the adapters to the accelerator beside them.
func (s stack) rdmaDevices(r schema.Workload, at string) (out []schema.Problem) {
	if s.Simulated() {
		return nil
	}
	rdma, vendor := s.AcceleratorOf(r.Role).RDMA, s.AcceleratorOf(r.Role).Type
	switch {
	case vendor == "google-tpu":
		out = append(out, s.Problem(schema.Error, at, "cannot be used on google-tpu, whose chips have a network of their own"))
	case vendor == "cpu":
		out = append(out, s.Problem(schema.Error, at, "is for accelerators, whose memory the adapters read; type is cpu"))
	case rdma.GDRCopy && vendor != "nvidia":
		out = append(out, s.Problem(schema.Error, at+".gdrCopy", "is NVIDIA's, and type is %s", vendor))
	}
	if rdma.ResourceName == s.AcceleratorResource(r.Role) {
		out = append(out, s.Problem(schema.Error, at+".resourceName", "%s is that of the accelerators; name the one of the network adapters' device plugin, such as rdma/ib", rdma.ResourceName))
	}
	for _, list := range []struct {
		field  string
		values []string
	}{{".capabilities", rdma.Capabilities}, {".hcas", rdma.HCAs}} {
		for i, value := range list.values {
			if first := slices.Index(list.values, value); first < i {
				out = append(out, s.Problem(schema.Error, finding.Indexed(at+list.field, i), "%s is item %d too", value, first))
			}
		}
	}
	return out
}

// rdmaLost warns where an accelerator section without adapters takes the place of one with
// them: sections win as a whole.
func (s stack) rdmaLost() []schema.Problem {
	return s.eachAccelerator(func(from *schema.Accelerator, path string, all []schema.Workload) []schema.Problem {
		if from.RDMA == nil {
			return nil
		}
		return s.rdmaTaken(from, path, all)
	})
}

// rdmaTaken names the sections among all that take the place of one with adapters.
func (s stack) rdmaTaken(from *schema.Accelerator, path string, all []schema.Workload) (out []schema.Problem) {
	if !slices.ContainsFunc(all, func(r schema.Workload) bool { return s.AcceleratorOf(r.Role) == from }) {
		return []schema.Problem{s.Problem(schema.Warning, path+".rdma", "has no effect: every role and variant has an accelerator section of its own, which takes the place of this one as a whole; write rdma there")}
	}
	said := map[string]bool{}
	for _, r := range all {
		own, at := s.AcceleratorOf(r.Role), s.acceleratorPath(r)
		if own != from && own.RDMA == nil && !said[at] {
			said[at] = true
			out = append(out, s.Problem(schema.Warning, path+".rdma", "does not count for %s, which takes the place of this section as a whole; write rdma there too, or move this one to the roles that use it", schema.Path(at)))
		}
	}
	return out
}

// storeDevices warns of a Mooncake store by RDMA whose servers have no network adapter. Besides
// accelerator.rdma an extended resource, a claim or a patch may bring one.
func (s stack) storeDevices(o offloading) []schema.Problem {
	if o.Connector != schema.OffloadMooncake || o.Mooncake == nil || o.Mooncake.Protocol != "rdma" {
		return nil
	}
	for _, r := range o.roles {
		if a := s.AcceleratorOf(r.Role); a.RDMA != nil || a.DRA != nil || r.PodTemplatePatch != nil || s.Spec.Server.PodTemplatePatch != nil || s.asksDevices(r) {
			continue
		}
		return []schema.Problem{s.Problem(schema.Warning, o.path+".mooncake.protocol", "is rdma, and the pods of %s ask for no network adapter; set %s, or tcp", schema.Path(r.Path), schema.Path("spec.server.accelerator.rdma"))}
	}
	return nil
}

// asksDevices reports whether the role's resources name a device besides its accelerators.
func (s stack) asksDevices(r schema.Workload) bool {
	list, _ := s.resourcesOf(r)
	if list == nil {
		return false
	}
	_, limits := list.Whole()
	return slices.ContainsFunc(slices.Collect(maps.Keys(limits)), func(name string) bool {
		return admission.Extended(name) && name != s.AcceleratorResource(r.Role)
	})
}
