package server

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/inferstack/inferstack/generators/args"
	"github.com/inferstack/inferstack/generators/base"
	"github.com/inferstack/inferstack/generators/kvevents"
)

func (s server) container() corev1.Container {
	command, arguments := s.command(), s.args(false)
	return corev1.Container{
		Name:            containerName,
		Image:           s.image(),
		Command:         command,
		Args:            arguments,
		Ports:           s.containerPorts(),
		EnvFrom:         append(base.Clones(s.Spec.Server.EnvFrom), base.Clones(s.Own.EnvFrom)...),
		Env:             s.environment(),
		Resources:       s.resources(),
		VolumeMounts:    s.mounts(),
		LivenessProbe:   s.livenessProbe(),
		ReadinessProbe:  s.readinessProbe(),
		StartupProbe:    s.startupProbe(),
		Lifecycle:       s.lifecycle(leaveSeconds),
		ImagePullPolicy: s.PullPolicy(),
		SecurityContext: s.serverSecurityContext(),
	}
}

// workerContainer serves no requests: it has neither ports nor probes.
func (s server) workerContainer() corev1.Container {
	return corev1.Container{
		Name:            containerName,
		Image:           s.image(),
		Command:         s.command(),
		Args:            s.args(true),
		EnvFrom:         append(base.Clones(s.Spec.Server.EnvFrom), base.Clones(s.Own.EnvFrom)...),
		Env:             s.environment(),
		Resources:       s.resources(),
		VolumeMounts:    s.mounts(),
		Lifecycle:       s.workerLifecycle(),
		ImagePullPolicy: s.PullPolicy(),
		SecurityContext: s.serverSecurityContext(),
	}
}

func (s server) image() string { return s.ServerImage(s.Own, s.Line) }

// command starts the engine. The simulator's image has an entrypoint. The shell is there
// for one product, LWS_WORKER_INDEX times the ranks of a node, which nothing else
// computes; it takes the arguments as they are, and is written without braces, which
// Flux would replace.
func (s server) command() []string {
	custom := s.Own.Command
	if len(custom) == 0 {
		custom = s.Spec.Server.Command
	}
	switch {
	case s.Spec.Server.Launch == "custom":
		return slices.Clone(custom)
	case s.Simulated(), s.Spec.Server.Launch == "image":
		return nil
	case s.Spec.Server.Engine == "sglang":
		return []string{"python3", "-m", "sglang.launch_server"}
	case s.Spec.Server.Engine == "trtllm":
		return []string{"trtllm-serve", "serve"}
	case s.computesRank():
		rank := args.Text(s.Own.Parallelism.LocalRanks())
		start := `exec vllm serve "$@" --` + s.Line.VLLM.Flags["dataParallelStartRank"] + `=$((LWS_WORKER_INDEX * ` + rank + `))`
		return []string{"/bin/sh", "-c", start, "vllm"}
	default:
		return []string{"vllm", "serve"}
	}
}

// args returns the generated arguments and the user's after them.
func (s server) args(worker bool) []string {
	var generated []string
	switch {
	case s.Spec.Server.Launch == "custom":
	case s.Simulated():
		generated = s.simulatorArgs()
	case s.Spec.Server.Engine == "sglang":
		generated = s.sglangArgs()
	case s.Spec.Server.Engine == "trtllm":
		generated = s.trtllmArgs()
	default:
		generated = s.vllmArgs(worker)
	}
	return slices.Concat(generated, s.Spec.Server.Args, s.Own.Args)
}

func (s server) resources() corev1.ResourceRequirements {
	fallback := corev1.ResourceRequirements{}
	if s.Simulated() {
		fallback = simulatorResources
	}
	return s.rdmaResources(s.acceleratorResources(s.nodeStorage(s.offloadResources(base.Resources(s.ResourcesOf(s.Own), fallback)))))
}

// offloadResources asks for the memory that offloaded KV cache takes, unless the user has
// said how much memory there is: the pod would else be put where there is none, and be
// among the first that a node without memory evicts.
func (s server) offloadResources(r corev1.ResourceRequirements) corev1.ResourceRequirements {
	_, requested := r.Requests[corev1.ResourceMemory]
	_, limited := r.Limits[corev1.ResourceMemory]
	if s.Simulated() || s.OffloadBytes(s.Own) == 0 || requested || limited {
		return r
	}
	if r.Requests == nil {
		r.Requests = corev1.ResourceList{}
	}
	r.Requests[corev1.ResourceMemory] = s.HostMemory(s.Own)
	return r
}

// containerPorts lists the model server's own ports.
func (s server) containerPorts() (ports []corev1.ContainerPort) {
	for rank := range s.PortCount() {
		ports = append(ports, containerPort(base.ServerPortNameOf(int(rank)), s.ModelServerPort()+rank))
	}
	if s.Supervised() {
		ports = append(ports, containerPort("supervisor", s.SupervisorPort()))
	}
	if s.usesNIXL() {
		ports = append(ports, containerPort(nixlPortName, s.Spec.KVTransfer.SideChannelPort))
	}
	if s.PublishesEmbeddings(s.Own) {
		ports = append(ports, containerPort("ec-nixl", s.Spec.ECTransfer.SideChannelPort))
	}
	if s.bootstraps() {
		ports = append(ports, containerPort("bootstrap", s.Spec.KVTransfer.BootstrapPort))
	}
	if s.eventsMode() == kvevents.Discovery {
		ports = append(ports, containerPort(kvevents.PortName, s.Spec.KVCache.Events.Port))
		if port := kvevents.ReplayPort(s.Stack); port != 0 {
			ports = append(ports, containerPort(kvevents.ReplayPortName, port))
		}
	}
	return ports
}

func containerPort(name string, port int32) corev1.ContainerPort {
	return corev1.ContainerPort{Name: name, ContainerPort: port, Protocol: corev1.ProtocolTCP}
}
