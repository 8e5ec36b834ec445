package generators

import corev1 "k8s.io/api/core/v1"

// Names of the EPP's volumes.
const (
	eppConfigVolume    = "config"
	eppCertVolume      = "tls"
	eppTokenizerVolume = "tokenizers"
)

// tokenizesInEPP says whether the EPP splits prompts itself, for which it needs the
// model's tokenizer.
func (s *Stack) tokenizesInEPP() bool {
	return s.precisePrefix() && s.Line.EPP.Tokenizer == "builtin"
}

func eppVolumes(s *Stack) []corev1.Volume {
	volumes := []corev1.Volume{{Name: eppConfigVolume, VolumeSource: corev1.VolumeSource{
		ConfigMap: &corev1.ConfigMapVolumeSource{LocalObjectReference: corev1.LocalObjectReference{Name: s.eppConfigName()}},
	}}}
	if secret := s.Spec.Scheduler.CertSecret; secret != "" {
		volumes = append(volumes, corev1.Volume{Name: eppCertVolume, VolumeSource: corev1.VolumeSource{
			Secret: &corev1.SecretVolumeSource{SecretName: secret},
		}})
	}
	if s.tokenizesInEPP() {
		volumes = append(volumes, corev1.Volume{Name: eppTokenizerVolume, VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}})
	}
	return volumes
}

func eppMounts(s *Stack) []corev1.VolumeMount {
	mounts := []corev1.VolumeMount{{Name: eppConfigVolume, ReadOnly: true, MountPath: s.Spec.Scheduler.ConfigMap.MountPath}}
	if s.Spec.Scheduler.CertSecret != "" {
		mounts = append(mounts, corev1.VolumeMount{Name: eppCertVolume, ReadOnly: true, MountPath: eppCertDirectory})
	}
	if s.tokenizesInEPP() {
		mounts = append(mounts, corev1.VolumeMount{Name: eppTokenizerVolume, MountPath: s.Line.EPP.TokenizerDirectory})
	}
	return mounts
}

// eppEnv tells the EPP where it is; the pool's namespace and the names of its workload are
// read from it (cmd/epp/runner of either line).
func eppEnv(s *Stack) []corev1.EnvVar {
	vars := []corev1.EnvVar{
		fieldEnv("NAMESPACE", "metadata.namespace"),
		fieldEnv("POD_NAME", "metadata.name"),
	}
	if secret := s.Spec.Model.TokenSecret; secret != nil && s.tokenizesInEPP() {
		vars = append(vars, secretEnv("HF_TOKEN", secret))
	}
	if tracing := s.tracingEnv("llm-d-router/epp"); tracing != nil {
		// Without it spans go to the log (GIE v1.2.0 pkg/common/telemetry.go).
		vars = append(append(vars, tracing...), corev1.EnvVar{Name: "OTEL_TRACES_EXPORTER", Value: "otlp"})
	}
	return env(vars, s.Spec.Scheduler.Env)
}
