package generators

import (
	"cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// eppGracePeriod mirrors the longest grace period of the servers: open streams live as
// long as their requests.
const eppGracePeriod = 130

// checksumAnnotation rolls the pods when a configuration changes that they read only at
// their start.
const checksumAnnotation = "inferstack.dev/config-checksum"

// eppDeployment recreates its pods: the EPP's state is in memory, and under leader
// election a rolling update would wait for a new pod that is not ready while the old one
// leads (gateway-api-inference-extension config/charts/inferencepool).
func eppDeployment(s *Stack) *appsv1.Deployment {
	return &appsv1.Deployment{
		TypeMeta:   metav1.TypeMeta{APIVersion: appsv1.SchemeGroupVersion.String(), Kind: "Deployment"},
		ObjectMeta: s.metaIn(s.eppNamespace(), componentEPP, s.eppName()),
		Spec: appsv1.DeploymentSpec{
			Replicas: new(s.Spec.Scheduler.Replicas),
			Selector: &metav1.LabelSelector{MatchLabels: s.selector(componentEPP)},
			Template: merged(eppPod(s), s.Spec.Scheduler.PodTemplatePatch),
			Strategy: appsv1.DeploymentStrategy{Type: appsv1.RecreateDeploymentStrategyType},
		},
	}
}

func eppPod(s *Stack) corev1.PodTemplateSpec {
	sched := &s.Spec.Scheduler
	return corev1.PodTemplateSpec{
		ObjectMeta: metav1.ObjectMeta{
			Labels:      joined(sched.PodLabels, s.labels(componentEPP)),
			Annotations: joined(sched.PodAnnotations, map[string]string{checksumAnnotation: eppConfigChecksum(s)}),
		},
		Spec: corev1.PodSpec{
			Volumes:                       append(eppVolumes(s), clones(sched.Volumes)...),
			InitContainers:                clones(sched.InitContainers),
			Containers:                    append([]corev1.Container{eppContainer(s)}, clones(sched.Containers)...),
			TerminationGracePeriodSeconds: new(int64(eppGracePeriod)),
			NodeSelector:                  joined(sched.NodeSelector),
			ServiceAccountName:            s.eppName(),
			SecurityContext:               s.imageUserSecurityContext(),
			ImagePullSecrets:              s.pullSecrets(),
			Affinity:                      sched.Affinity.DeepCopy(),
			SchedulerName:                 sched.SchedulerName,
			Tolerations:                   clones(sched.Tolerations),
			PriorityClassName:             sched.PriorityClassName,
			RuntimeClassName:              optional(sched.RuntimeClassName),
			TopologySpreadConstraints:     s.spread(componentEPP, sched.TopologySpreadConstraints),
		},
	}
}

func eppContainer(s *Stack) corev1.Container {
	sched := &s.Spec.Scheduler
	return corev1.Container{
		Name:            "epp",
		Image:           cmp.Or(sched.Image, s.Line.Images.EPP),
		Args:            eppArgs(s),
		Ports:           eppPorts(s),
		Env:             eppEnv(s),
		Resources:       resources(sched.Resources, s.eppResources()),
		VolumeMounts:    append(eppMounts(s), clones(sched.VolumeMounts)...),
		LivenessProbe:   s.eppProbe(s.Line.EPP.Health.Liveness, 5, 10),
		ReadinessProbe:  s.eppProbe(s.Line.EPP.Health.Readiness, 0, 2),
		ImagePullPolicy: s.pullPolicy(),
		SecurityContext: s.containerSecurityContext(),
	}
}

func eppPorts(s *Stack) []corev1.ContainerPort {
	ports := []corev1.ContainerPort{
		{Name: "grpc", ContainerPort: eppGRPCPort, Protocol: corev1.ProtocolTCP},
		{Name: "grpc-health", ContainerPort: eppHealthPort, Protocol: corev1.ProtocolTCP},
		{Name: "metrics", ContainerPort: eppMetricsPort, Protocol: corev1.ProtocolTCP},
	}
	if s.kvEventsMode() == eventsCentralized {
		ports = append(ports, corev1.ContainerPort{Name: kvEventsPortName, ContainerPort: s.Spec.KVCache.Events.CentralPort, Protocol: corev1.ProtocolTCP})
	}
	return ports
}

// eppProbe asks the gRPC health service of one replica, or the named one under leader
// election, where the other is unknown.
func (s *Stack) eppProbe(electionService string, delay, period int32) *corev1.Probe {
	service := s.Line.EPP.Health.Single
	if s.Spec.Scheduler.LeaderElection() {
		service = electionService
	}
	return &corev1.Probe{
		ProbeHandler:        corev1.ProbeHandler{GRPC: &corev1.GRPCAction{Port: eppHealthPort, Service: &service}},
		InitialDelaySeconds: delay,
		PeriodSeconds:       period,
	}
}

// eppResources is the default: what the router's charts ask for, with the processors that
// llm-d's guides settle on; next to a simulator the EPP has little to do.
func (s *Stack) eppResources() corev1.ResourceRequirements {
	if s.simulated() {
		return corev1.ResourceRequirements{Requests: corev1.ResourceList{
			corev1.ResourceCPU:    resource.MustParse("100m"),
			corev1.ResourceMemory: resource.MustParse("256Mi"),
		}}
	}
	return corev1.ResourceRequirements{
		Limits: corev1.ResourceList{corev1.ResourceMemory: resource.MustParse("16Gi")},
		Requests: corev1.ResourceList{
			corev1.ResourceCPU:    resource.MustParse("4"),
			corev1.ResourceMemory: resource.MustParse("8Gi"),
		},
	}
}
