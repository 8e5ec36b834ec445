package generators

import (
	"cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// envoyDrain is how long a proxy that is being stopped goes on serving: as long as a
// server takes to end its requests, which go through the proxy. Envoy ends at once on
// SIGTERM, and takes with it every answer that is being streamed.
func (f front) envoyDrain() int64 {
	return max(30, int64(f.Spec.Server.TerminationGracePeriodSeconds)-envoyEndSeconds)
}

// envoyEndSeconds is for Envoy to end by itself, after that.
const envoyEndSeconds = 15

func (f front) envoyContainer() corev1.Container {
	security := f.containerSecurityContext()
	security.ReadOnlyRootFilesystem = new(true)
	return corev1.Container{
		Name:            "envoy",
		Image:           cmp.Or(f.gw.Image, f.Line.Images.Envoy),
		ImagePullPolicy: f.pullPolicy(),
		Command:         []string{"envoy"},
		Args:            f.envoyArgs(),
		Ports: []corev1.ContainerPort{
			{Name: "http", ContainerPort: f.gw.Envoy.ListenPort, Protocol: corev1.ProtocolTCP},
			{Name: "admin", ContainerPort: f.gw.Envoy.AdminPort, Protocol: corev1.ProtocolTCP},
		},
		Env: []corev1.EnvVar{fieldEnv("POD_NAME", "metadata.name")},
		Resources: resources(f.gw.Resources, corev1.ResourceRequirements{
			Requests: corev1.ResourceList{
				corev1.ResourceCPU:    resource.MustParse("250m"),
				corev1.ResourceMemory: resource.MustParse("256Mi"),
			},
			Limits: corev1.ResourceList{corev1.ResourceMemory: resource.MustParse("1Gi")},
		}),
		StartupProbe:   envoyProbe(1, 60),
		ReadinessProbe: envoyProbe(5, 3),
		LivenessProbe:  envoyProbe(10, 6),
		Lifecycle: &corev1.Lifecycle{PreStop: &corev1.LifecycleHandler{
			Sleep: &corev1.SleepAction{Seconds: f.envoyDrain()},
		}},
		SecurityContext: security,
		VolumeMounts:    []corev1.VolumeMount{{Name: "config", MountPath: envoyConfigDir, ReadOnly: true}},
	}
}

func (f front) envoyArgs() []string {
	args := []string{
		"-c", envoyConfigDir + "/" + envoyConfigKey,
		"--service-cluster", f.gatewayName(),
		"--service-node", "$(POD_NAME)",
		"--log-level", f.gw.Envoy.LogLevel,
		// Shared memory for a hot restart, which a container never does, wants a
		// writable file system.
		"--disable-hot-restart",
	}
	return append(args, f.envoyConcurrency()...)
}

func envoyProbe(period, failures int32) *corev1.Probe {
	return &corev1.Probe{
		ProbeHandler: corev1.ProbeHandler{HTTPGet: &corev1.HTTPGetAction{
			Path: envoyReadyPath,
			Port: intstr.FromString("admin"),
		}},
		TimeoutSeconds:   2,
		PeriodSeconds:    period,
		FailureThreshold: failures,
	}
}
