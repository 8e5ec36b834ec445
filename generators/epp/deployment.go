package epp

import (
	"cmp"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/inferstack/inferstack/generators/base"
	"github.com/inferstack/inferstack/generators/kvevents"
)

// gracePeriod mirrors the longest grace period of the servers: open streams live as
// long as their requests.
const gracePeriod = 130

// deployment recreates its pods: the EPP's state is in memory, and under leader
// election a rolling update would wait for a new pod that is not ready while the old one
// leads (gateway-api-inference-extension config/charts/inferencepool).
func deployment(s *base.Stack) *appsv1.Deployment {
	return &appsv1.Deployment{
		TypeMeta:   metav1.TypeMeta{APIVersion: appsv1.SchemeGroupVersion.String(), Kind: "Deployment"},
		ObjectMeta: base.Described(s.MetaIn(s.EPPNamespace(), base.ComponentEPP, s.EPPName()), &s.Spec.Scheduler.Pod),
		Spec: appsv1.DeploymentSpec{
			Replicas: new(s.Spec.Scheduler.Replicas),
			Selector: &metav1.LabelSelector{MatchLabels: s.Selector(base.ComponentEPP)},
			Template: base.Merged(pod(s), s.Spec.Scheduler.PodTemplatePatch),
			Strategy: appsv1.DeploymentStrategy{Type: appsv1.RecreateDeploymentStrategyType},
		},
	}
}

func pod(s *base.Stack) corev1.PodTemplateSpec {
	sched := &s.Spec.Scheduler
	return corev1.PodTemplateSpec{
		ObjectMeta: metav1.ObjectMeta{
			Labels:      labels(s),
			Annotations: base.Joined(sched.PodAnnotations, map[string]string{base.ChecksumAnnotation: configChecksum(s)}),
		},
		Spec: corev1.PodSpec{
			Volumes:                       append(volumes(s), base.Clones(sched.Volumes)...),
			InitContainers:                base.Clones(sched.InitContainers),
			Containers:                    slices.Concat([]corev1.Container{container(s)}, latencyServers(s), base.Clones(sched.Containers)),
			TerminationGracePeriodSeconds: new(int64(gracePeriod)),
			NodeSelector:                  base.Joined(sched.NodeSelector),
			ServiceAccountName:            s.EPPName(),
			SecurityContext:               s.ImageUserSecurityContext(),
			ImagePullSecrets:              s.PullSecrets(),
			Affinity:                      sched.Affinity.DeepCopy(),
			SchedulerName:                 sched.SchedulerName,
			Tolerations:                   base.Clones(sched.Tolerations),
			PriorityClassName:             sched.PriorityClassName,
			RuntimeClassName:              base.Optional(sched.RuntimeClassName),
			TopologySpreadConstraints:     s.Spread(base.ComponentEPP, sched.TopologySpreadConstraints),
		},
	}
}

// labels are those of the pods; a Deployment that was there before the stack keeps its own.
func labels(s *base.Stack) map[string]string {
	sched := &s.Spec.Scheduler
	if len(sched.Selector) > 0 {
		return base.Joined(sched.PodLabels, sched.Selector)
	}
	return base.Joined(sched.PodLabels, s.Labels(base.ComponentEPP))
}

func container(s *base.Stack) corev1.Container {
	sched := &s.Spec.Scheduler
	return corev1.Container{
		Name:            "epp",
		Image:           image(s),
		Args:            arguments(s),
		Ports:           ports(s),
		Env:             env(s),
		Resources:       base.Resources(sched.Resources, resources(s)),
		VolumeMounts:    append(mounts(s), base.Clones(sched.VolumeMounts)...),
		LivenessProbe:   probe(s, s.Line.EPP.Health.Liveness, 5, 10),
		ReadinessProbe:  probe(s, s.Line.EPP.Health.Readiness, 0, 2),
		ImagePullPolicy: s.PullPolicy(),
		SecurityContext: s.ContainerSecurityContext(),
	}
}

func ports(s *base.Stack) []corev1.ContainerPort {
	ports := []corev1.ContainerPort{
		{Name: "grpc", ContainerPort: base.EPPGRPCPort, Protocol: corev1.ProtocolTCP},
		{Name: "grpc-health", ContainerPort: base.EPPHealthPort, Protocol: corev1.ProtocolTCP},
		{Name: "metrics", ContainerPort: base.EPPMetricsPort, Protocol: corev1.ProtocolTCP},
	}
	if kvevents.Mode(s) == kvevents.Centralized {
		ports = append(ports, corev1.ContainerPort{Name: kvevents.PortName, ContainerPort: s.Spec.KVCache.Events.CentralPort, Protocol: corev1.ProtocolTCP})
	}
	return ports
}

// probe asks the gRPC health service of one replica, or the named one under leader
// election, where the other is unknown.
func probe(s *base.Stack, electionService string, delay, period int32) *corev1.Probe {
	service := s.Line.EPP.Health.Single
	if s.Spec.Scheduler.LeaderElection() {
		service = electionService
	}
	return &corev1.Probe{
		ProbeHandler:        corev1.ProbeHandler{GRPC: &corev1.GRPCAction{Port: base.EPPHealthPort, Service: &service}},
		InitialDelaySeconds: delay,
		PeriodSeconds:       period,
	}
}

// resources is the default: what the router's charts ask for, with the processors that
// llm-d's guides settle on; next to a simulator the EPP has little to do.
func resources(s *base.Stack) corev1.ResourceRequirements {
	if s.Simulated() {
		return base.Amounts("100m", "256Mi", "")
	}
	return base.Amounts("4", "8Gi", "16Gi")
}

func image(s *base.Stack) string { return cmp.Or(s.Spec.Scheduler.Image, s.Line.Images.EPP) }
