package envoyproxy

import (
	"cmp"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/inferstack/inferstack/generators/base"
)

// drain is how long a proxy that is being stopped goes on serving: as long as a
// server takes to end its requests, which go through the proxy. Envoy ends at once on
// SIGTERM, and takes with it every answer that is being streamed.
func (f proxy) drain() int64 {
	return max(30, int64(f.Spec.Server.TerminationGracePeriodSeconds)-endSeconds)
}

// endSeconds is for Envoy to end by itself, after that.
const endSeconds = 15

func (f proxy) container() corev1.Container {
	security := f.ContainerSecurityContext()
	security.ReadOnlyRootFilesystem = new(true)
	return corev1.Container{
		Name:            "envoy",
		Image:           cmp.Or(f.Gateway.Image, f.Line.Images.Envoy),
		ImagePullPolicy: f.PullPolicy(),
		Command:         []string{"envoy"},
		Args:            f.args(),
		Ports: []corev1.ContainerPort{
			{Name: "http", ContainerPort: f.Gateway.Envoy.ListenPort, Protocol: corev1.ProtocolTCP},
			{Name: "admin", ContainerPort: f.Gateway.Envoy.AdminPort, Protocol: corev1.ProtocolTCP},
		},
		Env:            []corev1.EnvVar{base.FieldEnv("POD_NAME", "metadata.name")},
		Resources:      base.Resources(f.Gateway.Resources, base.Amounts("250m", "256Mi", "1Gi")),
		StartupProbe:   probe(1, 60),
		ReadinessProbe: probe(5, 3),
		LivenessProbe:  probe(10, 6),
		Lifecycle: &corev1.Lifecycle{PreStop: &corev1.LifecycleHandler{
			Sleep: &corev1.SleepAction{Seconds: f.drain()},
		}},
		SecurityContext: security,
		VolumeMounts:    []corev1.VolumeMount{{Name: "config", MountPath: configDir, ReadOnly: true}},
	}
}

func (f proxy) args() []string {
	args := []string{
		"-c", configDir + "/" + configKey,
		"--service-cluster", f.GatewayName(),
		"--service-node", "$(POD_NAME)",
		"--log-level", f.Gateway.Envoy.LogLevel,
		// Shared memory for a hot restart, which a container never does, wants a
		// writable file system.
		"--disable-hot-restart",
	}
	return append(args, f.concurrency()...)
}

func probe(period, failures int32) *corev1.Probe {
	return &corev1.Probe{
		ProbeHandler: corev1.ProbeHandler{HTTPGet: &corev1.HTTPGetAction{
			Path: readyPath,
			Port: intstr.FromString("admin"),
		}},
		TimeoutSeconds:   2,
		PeriodSeconds:    period,
		FailureThreshold: failures,
	}
}
