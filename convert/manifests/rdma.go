package manifests

import (
	"slices"
	"strings"

	"github.com/inferstack/inferstack/internal/freeform"
)

// rdma are the network adapters of the servers in place of the resources and variables that
// the stack has for them so far.
func (s *sources) rdma(stack object) (out []proposal) {
	for _, r := range s.roles {
		for _, rdma := range r.networkAdapters() {
			for _, to := range []string{"spec.server.", "spec." + r.name + "."} {
				p := proposal{to + "accelerator.rdma": rdma}
				for _, section := range []string{"server", "decode", "prefill", "encode"} {
					p.withoutAdapters(stack, section)
				}
				out = append(out, p)
			}
		}
	}
	return out
}

// withoutAdapters takes what the field of adapters says out of a section of the stack.
func (p proposal) withoutAdapters(stack object, section string) {
	to := "spec." + section + "."
	if env := list(at(stack, "spec", section, "env")); len(env) > 0 {
		p[to+"env"] = orNothing(slices.DeleteFunc(slices.Clone(env), func(e any) bool {
			return slices.Contains(rdmaVariables, text(e, "name"))
		}))
	}
	resources := mapping(freeform.Copy(at(stack, "spec", section, "resources")))
	for _, part := range resources {
		for name := range mapping(part) {
			if isAdapter(name) {
				delete(mapping(part), name)
			}
		}
	}
	if len(resources) > 0 {
		p[to+"resources"] = resources
	}
}

// rdmaVariables are those that follow from the field.
var rdmaVariables = []string{
	"NVIDIA_GDRCOPY", "NCCL_SOCKET_IFNAME", "GLOO_SOCKET_IFNAME", "NCCL_IB_HCA", "NVSHMEM_HCA_LIST", "UCX_NET_DEVICES",
	"NCCL_IB_GID_INDEX", "NVSHMEM_IB_GID_INDEX", "UCX_IB_GID_INDEX", "NVSHMEM_REMOTE_TRANSPORT", "NVSHMEM_IB_ENABLE_IBGDA", "NVSHMEM_BOOTSTRAP_UID_SOCK_IFNAME", "UCX_TLS",
}

// networkAdapters are the network adapters of the container, and what it is told of them.
func (r role) networkAdapters() (out []object) {
	rdma := object{"capabilities": []any{}}
	if all := list(at(r.main, "securityContext", "capabilities", "add")); len(all) > 0 {
		rdma["capabilities"] = all
	}
	for _, e := range list(at(r.main, "env")) {
		value := text(e, "value")
		switch text(e, "name") {
		case "NVIDIA_GDRCOPY":
			rdma["gdrCopy"] = value == "enabled"
		case "NCCL_SOCKET_IFNAME":
			rdma["interface"] = value
		case "NCCL_IB_HCA":
			rdma["hcas"] = anys(strings.Split(value, ","))
		case "NCCL_IB_GID_INDEX":
			rdma["gidIndex"] = numeric(value)
		case "NVSHMEM_REMOTE_TRANSPORT":
			rdma["remoteTransport"] = value
		case "UCX_TLS":
			rdma["ucxTransports"] = anys(strings.Split(value, ","))
		}
	}
	for name, n := range sorted(mapping(at(r.main, "resources", "limits"))) {
		if isAdapter(name) {
			with := freeform.Copy(rdma).(object)
			with["resourceName"], with["count"] = name, numeric(text(n))
			out = append(out, with)
		}
	}
	return out
}

// isAdapter reports whether a resource is one of those that network adapters go by.
func isAdapter(name string) bool {
	return strings.Contains(name, "rdma") || strings.HasSuffix(name, "/efa")
}
