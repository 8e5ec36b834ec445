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
func (s *Stack) serverTemplate(role string) corev1.PodTemplateSpec {
	return s.patched(role, corev1.PodTemplateSpec{
		ObjectMeta: metav1.ObjectMeta{
			Labels:      s.serverLabels(role),
			Annotations: s.serverAnnotations(role),
		},
		Spec: s.serverPod(role, s.serverInitContainers(role), s.serverContainer(role)),
	})
}

// workerTemplate is the template of the pods that only lend their accelerators to a
// leader. The pool, the Services and the monitors must not take them for servers.
func (s *Stack) workerTemplate(role string) corev1.PodTemplateSpec {
	return s.patched(role, corev1.PodTemplateSpec{
		ObjectMeta: metav1.ObjectMeta{
			Labels:      joined(s.Spec.Server.PodLabels, s.role(role).PodLabels, s.labels(role+workerSuffix)),
			Annotations: joined(s.Spec.Server.PodAnnotations, s.role(role).PodAnnotations),
		},
		Spec: s.serverPod(role, s.userInitContainers(role), s.workerContainer(role)),
	})
}

func (s *Stack) serverPod(role string, init []corev1.Container, main corev1.Container) corev1.PodSpec {
	server, own := &s.Spec.Server, s.role(role)
	pod := corev1.PodSpec{
		Volumes:                       s.serverVolumes(role),
		InitContainers:                init,
		Containers:                    append([]corev1.Container{main}, s.userContainers(role)...),
		TerminationGracePeriodSeconds: new(int64(server.TerminationGracePeriodSeconds)),
		NodeSelector:                  joined(server.NodeSelector, own.NodeSelector, s.acceleratorNodes(role)),
		ServiceAccountName:            server.ServiceAccountName,
		AutomountServiceAccountToken:  new(false),
		SecurityContext:               s.serverSecurityContext(role),
		ImagePullSecrets:              s.pullSecrets(),
		Affinity:                      s.serverAffinity(role),
		SchedulerName:                 cmp.Or(own.SchedulerName, server.SchedulerName),
		Tolerations:                   s.serverTolerations(role),
		PriorityClassName:             cmp.Or(own.PriorityClassName, server.PriorityClassName),
		TopologySpreadConstraints:     s.serverSpread(role),
	}
	if class := cmp.Or(own.RuntimeClassName, server.RuntimeClassName); class != "" {
		pod.RuntimeClassName = &class
	}
	if s.usesClaim(role) {
		pod.ResourceClaims = []corev1.PodResourceClaim{{
			Name:                      claimName,
			ResourceClaimTemplateName: new(s.claimTemplateName(role)),
		}}
	}
	return pod
}

// serverAnnotations tells an EPP that sees all pods through the pool's ports which of
// them this role's pods serve.
func (s *Stack) serverAnnotations(role string) map[string]string {
	active := map[string]string{}
	count := int(s.portCount(role))
	if name := s.Line.EPP.ActivePortsAnnotation; name != "" && count < len(s.poolPorts()) && len(s.Spec.Pool.TargetPorts) == 0 {
		var ports []string
		for _, port := range s.poolPorts()[:count] {
			ports = append(ports, text(port))
		}
		active[name] = strings.Join(ports, ",")
	}
	return joined(s.Spec.Server.PodAnnotations, s.role(role).PodAnnotations, active)
}

// serverInitContainers ends with the routing sidecar, which has to be there before the
// model server is ready.
func (s *Stack) serverInitContainers(role string) []corev1.Container {
	containers := s.userInitContainers(role)
	if s.hasSidecar(role) {
		containers = append(containers, s.sidecarContainer(role))
	}
	return containers
}

func (s *Stack) userInitContainers(role string) []corev1.Container {
	return append(clones(s.Spec.Server.InitContainers), clones(s.role(role).InitContainers)...)
}

func (s *Stack) userContainers(role string) []corev1.Container {
	return append(clones(s.Spec.Server.Containers), clones(s.role(role).Containers)...)
}

// serverSecurityContext holds the restricted standard unless the accelerator's device
// files need root.
func (s *Stack) serverSecurityContext(role string) *corev1.PodSecurityContext {
	context := s.podSecurityContext()
	if s.accelerator(role).root {
		context.RunAsNonRoot, context.RunAsUser = nil, new(int64(0))
	}
	if s.listensLow(role) {
		context.Sysctls = lowPorts()
	}
	return context
}

// listensLow says whether a process of the role's pods listens on a port below 1024.
// Root may not either: it has lost the capability.
func (s *Stack) listensLow(role string) bool {
	return min(s.Spec.Server.Port, s.serverPort(role)) < 1024 ||
		s.usesNIXL() && s.Spec.KVTransfer.SideChannelPort < 1024 ||
		s.kvEventsMode() == eventsDiscovery && s.Spec.KVCache.Events.Port < 1024
}
