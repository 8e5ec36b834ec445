package server

import (
	"cmp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/inferstack/inferstack/generators/args"
	"github.com/inferstack/inferstack/generators/base"
	"github.com/inferstack/inferstack/generators/kvevents"
	"github.com/inferstack/inferstack/generators/pool"
	"github.com/inferstack/inferstack/internal/lists"
)

// containerName is the name of the model server's container, as in llm-d's guides.
const containerName = "modelserver"

// template is the template of the role's pods, with the user's patches applied.
func (s server) template() corev1.PodTemplateSpec {
	return s.patched(corev1.PodTemplateSpec{
		ObjectMeta: metav1.ObjectMeta{
			Labels:      s.PodLabels(),
			Annotations: s.annotations(),
		},
		Spec: s.pod(s.initContainers(), s.container()),
	})
}

// workerTemplate is the template of the pods that only lend their accelerators to a
// leader. The pool, the Services and the monitors must not take them for servers.
func (s server) workerTemplate() corev1.PodTemplateSpec {
	return s.patched(corev1.PodTemplateSpec{
		ObjectMeta: metav1.ObjectMeta{
			Labels:      base.Joined(s.Spec.Server.PodLabels, s.Own.PodLabels, s.OwnSelector(), s.Labels(s.Role+base.WorkerSuffix)),
			Annotations: base.Joined(s.Spec.Server.PodAnnotations, s.Own.PodAnnotations),
		},
		Spec: s.pod(append(s.userInitContainers(), s.downloads()...), s.workerContainer()),
	})
}

func (s server) pod(init []corev1.Container, main corev1.Container) corev1.PodSpec {
	server, own := &s.Spec.Server, s.Own
	pod := corev1.PodSpec{
		Volumes:                       s.volumes(),
		InitContainers:                init,
		Containers:                    append([]corev1.Container{main}, s.userContainers()...),
		TerminationGracePeriodSeconds: new(int64(server.TerminationGracePeriodSeconds)),
		NodeSelector:                  base.Joined(server.NodeSelector, own.NodeSelector, s.acceleratorNodes()),
		ServiceAccountName:            server.ServiceAccountName,
		AutomountServiceAccountToken:  new(false),
		SecurityContext:               s.securityContext(),
		ImagePullSecrets:              s.PullSecrets(),
		Affinity:                      s.affinity(),
		SchedulerName:                 cmp.Or(own.SchedulerName, server.SchedulerName),
		Tolerations:                   s.tolerations(),
		PriorityClassName:             cmp.Or(own.PriorityClassName, server.PriorityClassName),
		TopologySpreadConstraints:     s.spread(),
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

// annotations tells an EPP that sees all pods through the pool's ports which of
// them this role's pods serve, and rolls the pods with a file that they read at start.
func (s server) annotations() map[string]string {
	active := map[string]string{}
	count := int(s.PortCount())
	if name := s.Line.EPP.ActivePortsAnnotation; name != "" && count < len(pool.Ports(s.Stack)) && len(s.Spec.Pool.TargetPorts) == 0 {
		ports := lists.Map(pool.Ports(s.Stack)[:count], func(port int32) string { return args.Text(port) })
		active[name] = strings.Join(ports, ",")
	}
	if s.hasOptions() {
		active[base.ChecksumAnnotation] = checksum(optionsText(s.Stack))
	}
	if s.mooncake() != nil {
		active[base.ChecksumAnnotation] = checksum(s.mooncakeText())
	}
	return base.Joined(s.Spec.Server.PodAnnotations, s.Own.PodAnnotations, active)
}

// initContainers ends with the routing sidecar, which has to be there before the
// model server is ready.
func (s server) initContainers() []corev1.Container {
	containers := append(s.userInitContainers(), s.downloads()...)
	if s.HasSidecar() {
		containers = append(containers, s.sidecarContainer())
	}
	return containers
}

func (s server) userInitContainers() []corev1.Container {
	return append(base.Clones(s.Spec.Server.InitContainers), base.Clones(s.Own.InitContainers)...)
}

func (s server) userContainers() []corev1.Container {
	return append(base.Clones(s.Spec.Server.Containers), base.Clones(s.Own.Containers)...)
}

// securityContext holds the restricted standard unless the accelerator's device
// files need root.
func (s server) securityContext() *corev1.PodSecurityContext {
	context := s.PodSecurityContext()
	if context.FSGroup != nil && (s.modelClaim() != "" || s.keepsClaims()) && !s.Simulated() {
		// Weights are many and large: a kubelet that gives each to the group at every start
		// takes minutes.
		context.FSGroupChangePolicy = new(corev1.FSGroupChangeOnRootMismatch)
	}
	if s.accelerator().root {
		context.RunAsNonRoot, context.RunAsUser = nil, new(int64(0))
	}
	if s.listensLow() {
		context.Sysctls = base.LowPorts()
	}
	return context
}

// listensLow reports whether a process of the role's pods listens on a port below 1024.
// Root may not either: it has lost the capability.
func (s server) listensLow() bool {
	return min(s.Spec.Server.Port, s.ModelServerPort()) < 1024 ||
		s.usesNIXL() && s.Spec.KVTransfer.SideChannelPort < 1024 ||
		s.bootstraps() && s.Spec.KVTransfer.BootstrapPort < 1024 ||
		s.PublishesEmbeddings(s.Own) && s.Spec.ECTransfer.SideChannelPort < 1024 ||
		s.eventsMode() == kvevents.Discovery && slices.Min(kvevents.Dialled(s.Stack)) < 1024
}
