package generators

import (
	"cmp"
	"slices"

	corev1 "k8s.io/api/core/v1"
)

func (s *Stack) serverContainer(role string) corev1.Container {
	command, arguments := s.serverCommand(role), s.serverArgs(role, false)
	return corev1.Container{
		Name:            serverContainerName,
		Image:           s.serverImage(role),
		Command:         command,
		Args:            arguments,
		Ports:           s.containerPorts(role),
		EnvFrom:         append(clones(s.Spec.Server.EnvFrom), clones(s.role(role).EnvFrom)...),
		Env:             s.serverEnv(role),
		Resources:       s.serverResources(role),
		VolumeMounts:    s.serverMounts(role),
		LivenessProbe:   s.livenessProbe(role),
		ReadinessProbe:  s.readinessProbe(role),
		StartupProbe:    s.startupProbe(role),
		ImagePullPolicy: s.pullPolicy(),
		SecurityContext: s.containerSecurityContext(),
	}
}

// workerContainer serves no requests: it has neither ports nor probes.
func (s *Stack) workerContainer(role string) corev1.Container {
	return corev1.Container{
		Name:            serverContainerName,
		Image:           s.serverImage(role),
		Command:         s.serverCommand(role),
		Args:            s.serverArgs(role, true),
		EnvFrom:         append(clones(s.Spec.Server.EnvFrom), clones(s.role(role).EnvFrom)...),
		Env:             s.serverEnv(role),
		Resources:       s.serverResources(role),
		VolumeMounts:    s.serverMounts(role),
		ImagePullPolicy: s.pullPolicy(),
		SecurityContext: s.containerSecurityContext(),
	}
}

func (s *Stack) serverImage(role string) string {
	if image := cmp.Or(s.role(role).Image, s.Spec.Server.Image); image != "" {
		return image
	}
	if s.simulated() {
		return s.Line.Images.Simulator
	}
	return s.Line.Images.VLLM[s.AcceleratorOf(s.role(role)).Type]
}

// serverCommand starts vLLM. The simulator's image has an entrypoint. The shell is there
// for one product, LWS_WORKER_INDEX times the ranks of a node, which nothing else
// computes; it takes the arguments as they are, and is written without braces, which
// Flux would replace.
func (s *Stack) serverCommand(role string) []string {
	custom := s.role(role).Command
	if len(custom) == 0 {
		custom = s.Spec.Server.Command
	}
	switch {
	case s.Spec.Server.Launch == "custom":
		return slices.Clone(custom)
	case s.simulated(), s.Spec.Server.Launch == "image":
		return nil
	case s.computesRank(role):
		rank := text(s.role(role).Parallelism.LocalRanks())
		start := `exec vllm serve "$@" --` + s.Line.VLLM.Flags["dataParallelStartRank"] + `=$((LWS_WORKER_INDEX * ` + rank + `))`
		return []string{"/bin/sh", "-c", start, "vllm"}
	default:
		return []string{"vllm", "serve"}
	}
}

// serverArgs returns the generated arguments and the user's after them.
func (s *Stack) serverArgs(role string, worker bool) []string {
	var generated []string
	switch {
	case s.Spec.Server.Launch == "custom":
	case s.simulated():
		generated = s.simulatorArgs(role)
	default:
		generated = s.vllmArgs(role, worker)
	}
	return slices.Concat(generated, s.Spec.Server.Args, s.role(role).Args)
}

func (s *Stack) serverResources(role string) corev1.ResourceRequirements {
	section := s.role(role).Resources
	if section == nil {
		section = s.Spec.Server.Resources
	}
	fallback := corev1.ResourceRequirements{}
	if s.simulated() {
		fallback = simulatorResources
	}
	return s.acceleratorResources(role, resources(section, fallback))
}

// containerPorts lists the model server's own ports.
func (s *Stack) containerPorts(role string) []corev1.ContainerPort {
	var ports []corev1.ContainerPort
	for rank := range s.portCount(role) {
		ports = append(ports, containerPort(serverPortNameOf(int(rank)), s.serverPort(role)+rank))
	}
	if s.supervised(role) {
		ports = append(ports, containerPort("supervisor", s.supervisorPort(role)))
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
