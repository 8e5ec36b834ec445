package epp

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/inferstack/inferstack/generators/base"
)

// Names of the EPP's volumes.
const (
	configVolume    = "config"
	certVolume      = "tls"
	tokenizerVolume = "tokenizers"
)

// tokenizesInEPP reports whether the EPP splits prompts itself, for which it needs the
// model's tokenizer.
func tokenizesInEPP(s *base.Stack) bool {
	return s.PrecisePrefix() && s.Line.EPP.Tokenizer == "builtin"
}

func volumes(s *base.Stack) []corev1.Volume {
	volumes := []corev1.Volume{{Name: configVolume, VolumeSource: corev1.VolumeSource{
		ConfigMap: &corev1.ConfigMapVolumeSource{LocalObjectReference: corev1.LocalObjectReference{Name: configName(s)}},
	}}}
	if secret := s.Spec.Scheduler.CertSecret; secret != "" {
		volumes = append(volumes, corev1.Volume{Name: certVolume, VolumeSource: corev1.VolumeSource{
			Secret: &corev1.SecretVolumeSource{SecretName: secret},
		}})
	}
	if tokenizesInEPP(s) {
		volumes = append(volumes, corev1.Volume{Name: tokenizerVolume, VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}})
	}
	return append(volumes, latencyVolumes(s)...)
}

func mounts(s *base.Stack) []corev1.VolumeMount {
	mounts := []corev1.VolumeMount{{Name: configVolume, ReadOnly: true, MountPath: s.Spec.Scheduler.ConfigMap.MountPath}}
	if s.Spec.Scheduler.CertSecret != "" {
		mounts = append(mounts, corev1.VolumeMount{Name: certVolume, ReadOnly: true, MountPath: certDirectory})
	}
	if tokenizesInEPP(s) {
		mounts = append(mounts, corev1.VolumeMount{Name: tokenizerVolume, MountPath: s.Line.EPP.TokenizerDirectory})
	}
	return mounts
}

// env tells the EPP where it is; the pool's namespace and the names of its workload are
// read from it (cmd/epp/runner of either line).
func env(s *base.Stack) []corev1.EnvVar {
	vars := []corev1.EnvVar{
		base.FieldEnv("NAMESPACE", "metadata.namespace"),
		base.FieldEnv("POD_NAME", "metadata.name"),
	}
	if secret := s.Spec.Model.TokenSecret; secret != nil && tokenizesInEPP(s) {
		vars = append(vars, base.SecretEnv("HF_TOKEN", secret))
	}
	if tracing := s.TracingEnv("llm-d-router/epp"); tracing != nil {
		// Without it spans go to the log (GIE v1.2.0 pkg/common/telemetry.go).
		vars = append(append(vars, tracing...), corev1.EnvVar{Name: "OTEL_TRACES_EXPORTER", Value: "otlp"})
	}
	return base.Env(vars, latencyEnv(s), s.Spec.Scheduler.Env)
}
