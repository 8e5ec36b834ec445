package server

import (
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/inferstack/inferstack/generators/args"
)

// rdmaResources adds the network adapters to the container's resources, unless the user wrote
// their number there.
func (s server) rdmaResources(r corev1.ResourceRequirements) corev1.ResourceRequirements {
	rdma := s.RDMA(s.Own)
	if rdma == nil || rdma.Count == 0 {
		return r
	}
	name := corev1.ResourceName(rdma.ResourceName)
	if _, written := r.Limits[name]; written {
		return r
	}
	r.Requests = withQuantity(r.Requests, name, rdma.Count)
	r.Limits = withQuantity(r.Limits, name, rdma.Count)
	return r
}

// serverSecurityContext gives the model server the capabilities that its adapters need. The
// kernel gives those of a container to root alone, unless the program's file has them.
func (s server) serverSecurityContext() *corev1.SecurityContext {
	context := s.ContainerSecurityContext()
	added := s.RDMACapabilities(s.Own)
	if len(added) == 0 {
		return context
	}
	if context.Capabilities == nil {
		context.Capabilities = &corev1.Capabilities{}
	}
	for _, name := range added {
		context.Capabilities.Add = append(context.Capabilities.Add, corev1.Capability(name))
	}
	context.RunAsNonRoot, context.RunAsUser = new(false), new(int64(0))
	return context
}

// rdmaEnv tells the libraries which adapters to use, as the scripts of llm-d
// guides/recipes/modelserver find out (NCCL's, NVSHMEM's and UCX's documentation of variables).
func (s server) rdmaEnv() (vars []corev1.EnvVar) {
	rdma := s.RDMA(s.Own)
	if rdma == nil {
		return nil
	}
	set := func(value string, names ...string) {
		for _, name := range names {
			vars = append(vars, corev1.EnvVar{Name: name, Value: value})
		}
	}
	if rdma.GDRCopy {
		set("enabled", "NVIDIA_GDRCOPY")
	}
	if rdma.Interface != "" {
		set(rdma.Interface, "GLOO_SOCKET_IFNAME", "NCCL_SOCKET_IFNAME")
	}
	if len(rdma.HCAs) > 0 {
		set(strings.Join(rdma.HCAs, ","), "NCCL_IB_HCA")
		set(strings.Join(rdma.HCAs, ":1,")+":1", "NVSHMEM_HCA_LIST", "UCX_NET_DEVICES")
	}
	if rdma.GIDIndex != nil {
		set(args.Text(*rdma.GIDIndex), "NCCL_IB_GID_INDEX", "NVSHMEM_IB_GID_INDEX", "UCX_IB_GID_INDEX")
	}
	if rdma.RemoteTransport != "" {
		set(rdma.RemoteTransport, "NVSHMEM_REMOTE_TRANSPORT")
	}
	if rdma.RemoteTransport != "" && rdma.Interface != "" {
		set(rdma.Interface, "NVSHMEM_BOOTSTRAP_UID_SOCK_IFNAME")
	}
	if rdma.RemoteTransport == "ibgda" {
		set("1", "NVSHMEM_IB_ENABLE_IBGDA")
	}
	if len(rdma.UcxTransports) > 0 {
		set(strings.Join(rdma.UcxTransports, ","), ucxTransportsVar)
	}
	return vars
}

// ucxTransportsVar is what a release line sets where UCX's own choice does not work.
const ucxTransportsVar = "UCX_TLS"
