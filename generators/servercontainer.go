package generators

import (
	"cmp"
	"slices"

	corev1 "k8s.io/api/core/v1"
)

func (s server) serverContainer() corev1.Container {
	command, arguments := s.serverCommand(), s.serverArgs(false)
	return corev1.Container{
		Name:            serverContainerName,
		Image:           s.serverImage(),
		Command:         command,
		Args:            arguments,
		Ports:           s.containerPorts(),
		EnvFrom:         append(clones(s.Spec.Server.EnvFrom), clones(s.own.EnvFrom)...),
		Env:             s.serverEnv(),
		Resources:       s.serverResources(),
		VolumeMounts:    s.serverMounts(),
		LivenessProbe:   s.livenessProbe(),
		ReadinessProbe:  s.readinessProbe(),
		StartupProbe:    s.startupProbe(),
		ImagePullPolicy: s.pullPolicy(),
		SecurityContext: s.containerSecurityContext(),
	}
}

// workerContainer serves no requests: it has neither ports nor probes.
func (s server) workerContainer() corev1.Container {
	return corev1.Container{
		Name:            serverContainerName,
		Image:           s.serverImage(),
		Command:         s.serverCommand(),
		Args:            s.serverArgs(true),
		EnvFrom:         append(clones(s.Spec.Server.EnvFrom), clones(s.own.EnvFrom)...),
		Env:             s.serverEnv(),
		Resources:       s.serverResources(),
		VolumeMounts:    s.serverMounts(),
		ImagePullPolicy: s.pullPolicy(),
		SecurityContext: s.containerSecurityContext(),
	}
}

func (s server) serverImage() string {
	if image := cmp.Or(s.own.Image, s.Spec.Server.Image); image != "" {
		return image
	}
	if s.simulated() {
		return s.Line.Images.Simulator
	}
	return s.Line.Images.VLLM[s.AcceleratorOf(s.own).Type]
}

// serverCommand starts vLLM. The simulator's image has an entrypoint. The shell is there
// for one product, LWS_WORKER_INDEX times the ranks of a node, which nothing else
// computes; it takes the arguments as they are, and is written without braces, which
// Flux would replace.
func (s server) serverCommand() []string {
	custom := s.own.Command
	if len(custom) == 0 {
		custom = s.Spec.Server.Command
	}
	switch {
	case s.Spec.Server.Launch == "custom":
		return slices.Clone(custom)
	case s.simulated(), s.Spec.Server.Launch == "image":
		return nil
	case s.computesRank():
		rank := text(s.own.Parallelism.LocalRanks())
		start := `exec vllm serve "$@" --` + s.Line.VLLM.Flags["dataParallelStartRank"] + `=$((LWS_WORKER_INDEX * ` + rank + `))`
		return []string{"/bin/sh", "-c", start, "vllm"}
	default:
		return []string{"vllm", "serve"}
	}
}

// serverArgs returns the generated arguments and the user's after them.
func (s server) serverArgs(worker bool) []string {
	var generated []string
	switch {
	case s.Spec.Server.Launch == "custom":
	case s.simulated():
		generated = s.simulatorArgs()
	default:
		generated = s.vllmArgs(worker)
	}
	return slices.Concat(generated, s.Spec.Server.Args, s.own.Args)
}

func (s server) serverResources() corev1.ResourceRequirements {
	section := s.own.Resources
	if section == nil {
		section = s.Spec.Server.Resources
	}
	fallback := corev1.ResourceRequirements{}
	if s.simulated() {
		fallback = simulatorResources
	}
	return s.acceleratorResources(resources(section, fallback))
}

// containerPorts lists the model server's own ports.
func (s server) containerPorts() []corev1.ContainerPort {
	var ports []corev1.ContainerPort
	for rank := range s.portCount() {
		ports = append(ports, containerPort(serverPortNameOf(int(rank)), s.serverPort()+rank))
	}
	if s.supervised() {
		ports = append(ports, containerPort("supervisor", s.supervisorPort()))
	}
	if s.usesNIXL() {
		ports = append(ports, containerPort(nixlPortName, s.Spec.KVTransfer.SideChannelPort))
	}
	if s.kvEventsMode() == eventsDiscovery {
		ports = append(ports, containerPort(kvEventsPortName, s.Spec.KVCache.Events.Port))
	}
	return ports
}

func containerPort(name string, port int32) corev1.ContainerPort {
	return corev1.ContainerPort{Name: name, ContainerPort: port, Protocol: corev1.ProtocolTCP}
}
