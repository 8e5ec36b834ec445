package generators

import (
	"cmp"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// serverContainerName is the name of the model server's container, as in llm-d's guides.
const serverContainerName = "modelserver"

// workerSuffix tells the pods of a group that serve no requests from its leader.
const workerSuffix = "-worker"

// serverTemplate is the template of the role's pods, with the user's patches applied.
func (s server) serverTemplate() corev1.PodTemplateSpec {
	return s.patched(corev1.PodTemplateSpec{
		ObjectMeta: metav1.ObjectMeta{
			Labels:      s.serverLabels(),
			Annotations: s.serverAnnotations(),
		},
		Spec: s.serverPod(s.serverInitContainers(), s.serverContainer()),
	})
}

// workerTemplate is the template of the pods that only lend their accelerators to a
// leader. The pool, the Services and the monitors must not take them for servers.
func (s server) workerTemplate() corev1.PodTemplateSpec {
	return s.patched(corev1.PodTemplateSpec{
		ObjectMeta: metav1.ObjectMeta{
			Labels:      joined(s.Spec.Server.PodLabels, s.own.PodLabels, s.labels(s.role+workerSuffix)),
			Annotations: joined(s.Spec.Server.PodAnnotations, s.own.PodAnnotations),
		},
		Spec: s.serverPod(s.userInitContainers(), s.workerContainer()),
	})
}

func (s server) serverPod(init []corev1.Container, main corev1.Container) corev1.PodSpec {
	server, own := &s.Spec.Server, s.own
	pod := corev1.PodSpec{
		Volumes:                       s.serverVolumes(),
		InitContainers:                init,
		Containers:                    append([]corev1.Container{main}, s.userContainers()...),
		TerminationGracePeriodSeconds: new(int64(server.TerminationGracePeriodSeconds)),
		NodeSelector:                  joined(server.NodeSelector, own.NodeSelector, s.acceleratorNodes()),
		ServiceAccountName:            server.ServiceAccountName,
		AutomountServiceAccountToken:  new(false),
		SecurityContext:               s.serverSecurityContext(),
		ImagePullSecrets:              s.pullSecrets(),
		Affinity:                      s.serverAffinity(),
		SchedulerName:                 cmp.Or(own.SchedulerName, server.SchedulerName),
		Tolerations:                   s.serverTolerations(),
		PriorityClassName:             cmp.Or(own.PriorityClassName, server.PriorityClassName),
		TopologySpreadConstraints:     s.serverSpread(),
	}
	if class := cmp.Or(own.RuntimeClassName, server.RuntimeClassName); class != "" {
		pod.RuntimeClassName = &class
	}
	if s.usesClaim() {
		pod.ResourceClaims = []corev1.PodResourceClaim{{
			Name:                      claimName,
			ResourceClaimTemplateName: new(s.claimTemplateName()),
		}}
	}
	return pod
}

// serverAnnotations tells an EPP that sees all pods through the pool's ports which of
// them this role's pods serve.
func (s server) serverAnnotations() map[string]string {
	active := map[string]string{}
	count := int(s.portCount())
	if name := s.Line.EPP.ActivePortsAnnotation; name != "" && count < len(s.poolPorts()) && len(s.Spec.Pool.TargetPorts) == 0 {
		var ports []string
		for _, port := range s.poolPorts()[:count] {
			ports = append(ports, text(port))
		}
		active[name] = strings.Join(ports, ",")
	}
	return joined(s.Spec.Server.PodAnnotations, s.own.PodAnnotations, active)
}

// serverInitContainers ends with the routing sidecar, which has to be there before the
// model server is ready.
func (s server) serverInitContainers() []corev1.Container {
	containers := s.userInitContainers()
	if s.hasSidecar() {
		containers = append(containers, s.sidecarContainer())
	}
	return containers
}

func (s server) userInitContainers() []corev1.Container {
	return append(clones(s.Spec.Server.InitContainers), clones(s.own.InitContainers)...)
}

func (s server) userContainers() []corev1.Container {
	return append(clones(s.Spec.Server.Containers), clones(s.own.Containers)...)
}

// serverSecurityContext holds the restricted standard unless the accelerator's device
// files need root.
func (s server) serverSecurityContext() *corev1.PodSecurityContext {
	context := s.podSecurityContext()
	if s.accelerator().root {
		context.RunAsNonRoot, context.RunAsUser = nil, new(int64(0))
	}
	if s.listensLow() {
		context.Sysctls = lowPorts()
	}
	return context
}

// listensLow says whether a process of the role's pods listens on a port below 1024.
// Root may not either: it has lost the capability.
func (s server) listensLow() bool {
	return min(s.Spec.Server.Port, s.serverPort()) < 1024 ||
		s.usesNIXL() && s.Spec.KVTransfer.SideChannelPort < 1024 ||
		s.kvEventsMode() == eventsDiscovery && s.Spec.KVCache.Events.Port < 1024
}
